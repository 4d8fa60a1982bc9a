/** Takes a message away after the time that its element names; without it the message stays. */
export function mount(element: HTMLElement): void {
  const duration = Number(element.dataset.duration)
  if (duration > 0) setTimeout(() => element.remove(), duration)
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="flash-hides"]'))
  mount(element)
