import './turn-in-place.ts'

/*
 * Keys and the page counter of the reader. It listens to the whole window and looks for the reader each time: a hydrated
 * page replaces it with every step.
 */
const KEYS: Record<string, string> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  '+': 'larger',
  '-': 'smaller',
}

const reader = () => document.querySelector<HTMLElement>('[data-island="turn-pages"]')

addEventListener('keydown', (event) => {
  const part = KEYS[event.key]
  if (!part || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const { target } = event
  if (target instanceof Element && target.closest('input, select, textarea, [contenteditable]'))
    return
  const link = reader()?.querySelector<HTMLAnchorElement>(`a[data-part=${part}]`)
  if (!link || (event.key.startsWith('Arrow') && isWide())) return
  event.preventDefault()
  link.click()
})

/** An enlarged page is moved sideways with the arrows. */
function isWide(): boolean {
  const figure = reader()?.querySelector<HTMLElement>('figure')
  const pages = figure?.parentElement
  return pages ? pages.scrollWidth > pages.clientWidth + 1 : false
}

let isAwaited = false
function countSoon(): void {
  if (isAwaited) return
  isAwaited = true
  requestAnimationFrame(() => {
    isAwaited = false
    count()
  })
}

/** Shows which page stands at the middle of the window. */
function count(): void {
  const shown = reader()
  const counter = shown?.querySelector<HTMLElement>('[data-part=counter]')
  if (!shown || !counter) return
  const middle = innerHeight / 2
  const figures = [...shown.querySelectorAll<HTMLElement>('figure[data-page]')]
  const current = figures.findLast((one) => one.getBoundingClientRect().top <= middle) ?? figures[0]
  if (!current) return
  const text = `Página ${current.dataset.page} de ${counter.dataset.pages}`
  if (counter.textContent !== text) counter.textContent = text
}

addEventListener('scroll', countSoon, { passive: true })
addEventListener('resize', countSoon, { passive: true })
countSoon()
