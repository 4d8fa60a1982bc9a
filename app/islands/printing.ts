/** Shows the print button; without scripts the browser's menu prints. */
function mount(element: HTMLElement): void {
  element.hidden = false
  element.addEventListener('click', () => print())
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="printing"]'))
  mount(element)
