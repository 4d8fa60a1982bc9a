import { SHOWN } from './on-shown.ts'

/**
 * Shows the page that answers a form in place of the one that sent it. Returns a refusal instead, which leaves the form
 * as it is, if the answer is an error page or not a page of this kind.
 *
 * @param address of the form; the page is shown at it, as after a submission by the browser
 */
export function showAnswer(
  html: string,
  address: URL,
): { refusal: string | undefined } | undefined {
  const answer = pageIn(html)
  const [shown, next] = [document, answer].map((page) => page.querySelector('main'))
  const refusal = answer.querySelector('[data-refusal]')
  if (refusal || !shown || !next) return { refusal: refusal?.textContent ?? undefined }
  // Parsed as if scripts were off: one of them may hold the form that sends a key.
  for (const unseen of next.querySelectorAll('noscript')) unseen.remove()
  addStyles(answer)
  shown.replaceWith(document.adoptNode(next))
  document.title = answer.title
  startScripts(next)
  moveTo(address)
  focusOn(next, address)
  document.dispatchEvent(new Event(SHOWN))
  return undefined
}

/**
 * Shows of the page that answers a form only the message and that form; everything beside it stays. Returns false if the page
 * has no such form.
 */
export function showBeside(html: string, form: HTMLFormElement): boolean {
  const answer = pageIn(html)
  // Parsed as if scripts were off: one of them may hold the form that sends a key.
  for (const unseen of answer.querySelectorAll('noscript')) unseen.remove()
  const action = form.getAttribute('action')
  const next = [...answer.forms].find((one) => action && one.getAttribute('action') === action)
  if (!next) return false
  const message = answer.querySelector('main [role=alert]')
  if (message) next.prepend(message)
  addStyles(answer)
  form.replaceWith(document.adoptNode(next))
  next.querySelector<HTMLElement>('[type=submit]')?.focus({ preventScroll: true })
  return true
}

/** A page of ours, as elements that this page may adopt. */
export const pageIn = (html: string): Document => parsed(withOurNonce(html))

/** Runs no script and loads nothing. A document of this kind knows HTML alone, and nothing of XML. */
function parsed(html: string): Document {
  const page = document.implementation.createHTMLDocument()
  page.documentElement.innerHTML = html
  return page
}

/** The property: browsers hide the attribute's value from scripts. */
const NONCE = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

/** The policy of the first page judges the styles of all others. Text of a person cannot hold the nonce of its own page. */
function withOurNonce(html: string): string {
  const [theirs] = /nonce="[^"]+"/.exec(html) ?? []
  return theirs === undefined ? html : html.replaceAll(theirs, `nonce="${NONCE}"`)
}

/** A page carries the styles of its own markup alone. */
export function addStyles(answer: Document): void {
  const known = new Set(sheetsOf(document).map(({ textContent }) => textContent))
  for (const sheet of sheetsOf(answer)) {
    if (known.has(sheet.textContent)) continue
    document.head.append(document.importNode(sheet, true))
  }
}

const sheetsOf = ({ head }: Document) =>
  [...head.children].filter((child) => child instanceof HTMLStyleElement)

/** A parsed script never runs. One that ran before finds the new elements by itself. */
function startScripts(main: Element): void {
  for (const { src } of main.querySelectorAll('script')) {
    if (src === '' || started.has(src)) continue
    started.add(src)
    const script = document.createElement('script')
    script.type = 'module'
    script.nonce = NONCE
    script.src = src
    document.body.append(script)
  }
}

/** The scripts of the first page, and those that came with answers. */
const started = new Set([...document.scripts].map(({ src }) => src))

function moveTo(address: URL): void {
  if (address.pathname + address.search === location.pathname + location.search) return
  history.pushState(null, '', address)
  addEventListener('popstate', () => location.reload(), { once: true })
}

/**
 * The first fault, or the field to begin with: the browser heeds `autofocus` in the first page only. Otherwise the page, so
 * that it is read out, from the part that the address names.
 */
function focusOn(main: HTMLElement, address: URL): void {
  scrollTo(0, 0)
  main.tabIndex = -1
  main.focus({ preventScroll: true })
  if (address.hash !== '') document.getElementById(address.hash.slice(1))?.scrollIntoView()
  main.querySelector<HTMLElement>('[aria-invalid=true], [autofocus]')?.focus()
}
