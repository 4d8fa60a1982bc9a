import { type FormAnswer, outcomeOf, UNEXPECTED } from './form-outcome.ts'
import { hasEfirma } from './has-efirma.ts'
import { UNSENT } from './on-shown.ts'
import { showAnswer, showBeside } from './show-answer.ts'
import { hasUnreadableFile, UNREADABLE } from './unreadable-files.ts'

/**
 * Sends the page's forms itself, so that everything stays in them if the network fails or a proxy answers. Without this
 * script the browser sends them.
 */
function takeOver(event: SubmitEvent): void {
  const { target: form, submitter } = event
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
  // The answer to a button with an address of its own is a file, which the browser saves.
  if (form.dataset.transport === undefined || submitter?.hasAttribute('formaction')) return
  event.preventDefault()
  if (!form.hasAttribute('aria-busy')) void send(form, submitter)
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  // An input named "action" would hide the property.
  const address = new URL(form.getAttribute('action') ?? '', location.href)
  setBusy(form, true)
  form.querySelector<HTMLElement>('[data-part=unsent]')?.setAttribute('hidden', '')
  const answer = await post(address, form, submitter)
  if (!answer && (await hasUnreadableFile(form))) return refuse(form, UNREADABLE)
  const outcome = outcomeOf(answer)
  if (outcome.kind === 'next') return goOn(form, new URL(outcome.address, address))
  const sentence =
    outcome.kind === 'page' ? showAnswer(outcome.html, address) : { refusal: outcome.sentence }
  if (sentence) refuse(form, sentence.refusal ?? UNEXPECTED)
}

async function post(
  address: URL,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<FormAnswer | undefined> {
  const fields = new FormData(form)
  if (submitter instanceof HTMLButtonElement && submitter.name)
    fields.append(submitter.name, submitter.value)
  const isMultipart = form.getAttribute('enctype') === 'multipart/form-data'
  const body = isMultipart ? fields : new URLSearchParams([...fields] as [string, string][])
  try {
    const response = await fetch(address, { method: 'POST', body, headers: { 'X-Form': 'send' } })
    const from = response.headers.get('X-Form')
    return { status: response.status, from, body: await response.text() }
  } catch {
    return undefined
  }
}

const PATIENCE_MS = 20_000

/** A page that holds an e.firma in another form stays. The server has done by now what this form asked. */
async function goOn(form: HTMLFormElement, next: URL): Promise<void> {
  if (next.pathname !== location.pathname || !hasEfirma(form)) return goTo(next)
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(next, { redirect: 'manual', signal })
    if (response.ok && showBeside(await response.text(), form)) return
  } catch {
    // As if the answer had been an error.
  }
  refuse(form, DONE)
}

const DONE =
  'Se guardó, pero la página no se pudo actualizar. Puede continuar; el cambio se verá cuando vuelva a abrirla.'

/** The form stays busy meanwhile: a second click would send it twice. */
function goTo(next: URL): void {
  const isHere = next.pathname + next.search === location.pathname + location.search
  location.assign(next)
  // Otherwise the browser would only scroll.
  if (isHere && next.hash !== '') location.reload()
}

function refuse(form: HTMLFormElement, sentence: string): void {
  setBusy(form, false)
  const notice = form.querySelector<HTMLElement>('[data-part=unsent]')
  const text = notice?.querySelector('[data-part=sentence]')
  if (notice && text) {
    text.textContent = sentence
    notice.hidden = false
    notice.scrollIntoView({ block: 'nearest' })
  }
  form.dispatchEvent(new Event(UNSENT))
}

function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  if (isBusy) form.setAttribute('aria-busy', 'true')
  else form.removeAttribute('aria-busy')
}

document.addEventListener('submit', takeOver)
// Back at a page that was left for the next one.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-transport]'))
    setBusy(form, false)
})
