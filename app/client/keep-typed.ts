/**
 * Keeps what is typed into the page before React takes it over. Of every `<textarea>` that came with a text
 * React puts that text back, once, when it takes it over; what was typed by then is put back behind it.
 */
export function keepTyped(): void {
  for (const area of document.querySelectorAll('textarea'))
    if (area.defaultValue !== '') keepIn(area)
}

function keepIn(area: HTMLTextAreaElement): void {
  const written = () => ({ text: area.value, from: area.selectionStart, to: area.selectionEnd })
  let typed = area.value === area.defaultValue ? undefined : written()
  const note = () => {
    typed = written()
  }
  // Runs before whoever types has another turn: nothing comes between React and this.
  const takenOver = new MutationObserver(() => {
    takenOver.disconnect()
    area.removeEventListener('input', note)
    if (!typed) return
    area.value = typed.text
    area.setSelectionRange(typed.from, typed.to)
  })
  area.addEventListener('input', note)
  takenOver.observe(area, { childList: true })
}
