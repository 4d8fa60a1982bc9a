/** Shows a button that prints the page: without scripts there is none, and the browser's own menu does it. */
export function mount(element: HTMLElement): void {
  element.hidden = false
  element.addEventListener('click', () => print())
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="printing"]'))
  mount(element)
