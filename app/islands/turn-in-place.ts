import { NO_CONNECTION, sentenceOfStatus } from './form-outcome.ts'
import { hasEfirma } from './has-efirma.ts'
import { addStyles, pageIn } from './show-answer.ts'

/*
 * Turns the pages of the reader without leaving the page, once an e.firma was chosen on it: a new page would have lost the
 * files, which no page can fill in again, and the password. The PDF and its text open in another tab then. Otherwise the links
 * of the reader, and those beside it with `data-turns`, do what links do.
 */

const READER = '[data-island="turn-pages"]'
const reader = () => document.querySelector<HTMLElement>(READER)

addEventListener('click', (event) => {
  const { target, button, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
  if (!link || !(reader()?.contains(link) || (reader() && 'turns' in link.dataset))) return
  const address = new URL(link.href)
  // The PDF and the page of its text.
  if (address.pathname !== location.pathname) return openBeside(link)
  if (address.search !== location.search) turnTo(event, address)
})

addEventListener('submit', (event) => {
  const { target: form, defaultPrevented } = event
  if (defaultPrevented || !(form instanceof HTMLFormElement) || !reader()?.contains(form)) return
  const address = new URL(form.action)
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  address.search = String(new URLSearchParams(fields))
  turnTo(event, address)
})

function openBeside(link: HTMLAnchorElement): void {
  if (hasEfirma()) link.target = '_blank'
  else link.removeAttribute('target')
}

let isTurning = false
function turnTo(event: Event, address: URL): void {
  if (!hasEfirma()) return
  event.preventDefault()
  if (isTurning) return
  isTurning = true
  void replaceReader(address).finally(() => {
    isTurning = false
  })
}

async function replaceReader(address: URL): Promise<void> {
  const shown = reader()
  shown?.setAttribute('aria-busy', 'true')
  const answer = await readerAt(address)
  shown?.removeAttribute('aria-busy')
  // Meanwhile the form was sent: its answer stands there now.
  if (!shown || reader() !== shown) return
  if (typeof answer === 'string') {
    shown.querySelector('[role=alert]')?.remove()
    shown.prepend(failure(answer))
    return
  }
  frameOf(shown)?.toggleAttribute('data-whole', answer.isWhole)
  shown.replaceWith(answer.reader)
  // Not a place of its own: going back leaves this page, as it did before.
  history.replaceState(history.state, '', address)
  const place = document.getElementById(address.hash.slice(1)) ?? answer.reader
  place.scrollIntoView()
  place.tabIndex = -1
  place.focus({ preventScroll: true })
  dispatchEvent(new Event('scroll'))
}

/** A page of a deed is there within a second; a line that hangs never answers. */
const PATIENCE_MS = 20_000

/** The guard leads to the sign-in page, which has no reader. */
const isElsewhere = ({ type }: Response) => type === 'opaqueredirect'

/** What the full screen changes: the pages, and the form beside or below them. */
const frameOf = (one: HTMLElement) => one.closest<HTMLElement>('[data-wide]')

/** The reader on its other page, and whether that is in full screen; or why it is not there. */
async function readerAt(address: URL): Promise<{ reader: HTMLElement; isWhole: boolean } | string> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(address, { redirect: 'manual', signal })
    const page = pageIn(await response.text())
    const found = page.querySelector<HTMLElement>(READER)
    if (!found) return sentenceOfStatus(isElsewhere(response) ? 401 : response.status)
    addStyles(page)
    const isWhole = frameOf(found)?.hasAttribute('data-whole') ?? false
    return { reader: document.adoptNode(found), isWhole }
  } catch {
    return NO_CONNECTION
  }
}

function failure(sentence: string): HTMLElement {
  const alert = document.createElement('p')
  alert.setAttribute('role', 'alert')
  alert.textContent = sentence
  return alert
}
