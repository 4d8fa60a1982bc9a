/** Hides a message after the time that its element specifies, if any. */
function mount(element: HTMLElement): void {
  const duration = Number(element.dataset.duration)
  if (duration > 0) setTimeout(() => element.remove(), duration)
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="flash-hides"]'))
  mount(element)
