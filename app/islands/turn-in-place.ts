import { NO_CONNECTION, sentenceOfStatus } from './form-outcome.ts'
import { pageIn } from './show-answer.ts'

/*
 * Turns the pages of the reader without leaving the page, once an e.firma was chosen on it: a new page would have lost the
 * files, which no page can fill in again, and the password. Otherwise the links of the reader do what links do.
 */

const READER = '[data-island="turn-pages"]'
const reader = () => document.querySelector<HTMLElement>(READER)

const hasEfirma = () =>
  [
    ...document.querySelectorAll<HTMLInputElement>('main input:is([type=file], [type=password])'),
  ].some(({ value }) => value !== '')

addEventListener('click', (event) => {
  const { target, button, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
  // The whole window is another page: what stands beside the reader changes, too.
  if (!link || link.dataset.only === 'wide' || !reader()?.contains(link)) return
  const address = new URL(link.href)
  if (address.pathname !== location.pathname || address.search === location.search) return
  turnTo(event, address)
})

addEventListener('submit', (event) => {
  const { target: form, defaultPrevented } = event
  if (defaultPrevented || !(form instanceof HTMLFormElement) || !reader()?.contains(form)) return
  const address = new URL(form.action)
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  address.search = String(new URLSearchParams(fields))
  turnTo(event, address)
})

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
  shown.replaceWith(answer)
  // Not a place of its own: going back leaves this page, as it did before.
  history.replaceState(history.state, '', address)
  const place = document.getElementById(address.hash.slice(1)) ?? answer
  place.scrollIntoView()
  place.tabIndex = -1
  place.focus({ preventScroll: true })
  dispatchEvent(new Event('scroll'))
}

/** A page of a deed is there within a second; a line that hangs never answers. */
const PATIENCE_MS = 20_000

/** The guard leads to the sign-in page, which has no reader. */
const isElsewhere = ({ type }: Response) => type === 'opaqueredirect'

/** The reader on its other page, or why it is not there. */
async function readerAt(address: URL): Promise<HTMLElement | string> {
  const gone = new AbortController()
  const timer = setTimeout(() => gone.abort(), PATIENCE_MS)
  try {
    const response = await fetch(address, { redirect: 'manual', signal: gone.signal })
    const found = pageIn(await response.text()).querySelector<HTMLElement>(READER)
    return found
      ? document.adoptNode(found)
      : sentenceOfStatus(isElsewhere(response) ? 401 : response.status)
  } catch {
    return NO_CONNECTION
  } finally {
    clearTimeout(timer)
  }
}

function failure(sentence: string): HTMLElement {
  const alert = document.createElement('p')
  alert.setAttribute('role', 'alert')
  alert.textContent = sentence
  return alert
}
