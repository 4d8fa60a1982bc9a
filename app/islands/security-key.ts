/*
 * Requests a response from a security key and submits it with the form around the button. The button is
 * hidden until `mount` has run.
 */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { NO_CONNECTION, sentenceOfStatus, UNEXPECTED } from './form-outcome.ts'
import { onShown, UNSENT } from './on-shown.ts'
import { sentenceOf } from './security-key-sentences.ts'

/**
 * These refusals reload the page, which explains them: sign-in or session expired, or a step-up is needed.
 */
const RELOAD_STATUSES = [401, 403, 410]

type Options = PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON

/** Makes the button of `element` request a security key before its form is submitted. May run twice. */
function mount(element: HTMLElement): void {
  const form = element.closest('form')
  if (!form || element.dataset.mounted) return
  element.dataset.mounted = 'yes'

  const { purpose = '', begin = '', body = '{}' } = element.dataset
  const isRegistration = purpose === 'register'
  const ready = part(element, 'ready')
  const waiting = part(element, 'waiting')
  const problem = part(element, 'problem')
  const sentence = part(problem, 'sentence')
  const answer = part<HTMLInputElement>(element, 'answer')
  let isBusy = false
  let isSent = false

  form.addEventListener('submit', (event) => {
    // Each response is valid once: a second click while it is being sent would fail.
    if (answer.value !== '' && !isSent) {
      isSent = true
      return
    }
    event.preventDefault()
    event.stopPropagation()
    if (!isBusy && !isSent) void ask(form)
  })
  const forget = () => {
    answer.value = ''
    isSent = false
  }
  // The form restored by back navigation holds a used response, and so may one that could not be sent.
  forget()
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) forget()
  })
  form.addEventListener(UNSENT, forget)
  ready.hidden = false
  if (!isSupported()) announce(sentenceOf('unsupported', isRegistration))

  async function ask(form: HTMLFormElement) {
    isBusy = true
    problem.hidden = true
    forgetLastRefusal(form)
    waiting.hidden = false
    try {
      const options = await begun(form)
      if (!options) return
      const given = isRegistration
        ? await startRegistration({
            optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
          })
        : await startAuthentication({
            optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
          })
      answer.value = JSON.stringify(given)
      form.requestSubmit()
    } catch (error) {
      announce(sentenceOf(nameOf(error), isRegistration))
    } finally {
      waiting.hidden = true
      isBusy = false
    }
  }

  async function begun(form: HTMLFormElement): Promise<Options | undefined> {
    let response: Response
    try {
      response = await fetch(begin, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-CSRFToken': csrfToken(form) },
        body,
        cache: 'no-store',
        redirect: 'error',
      })
    } catch {
      return void announce(NO_CONNECTION)
    }
    // The sign-in is over, or its second factor was taken away: the page of the server says which.
    if (response.status === 401) return void reloadPage()
    const read: unknown = await response.json().catch(() => undefined)
    // Of a proxy: the form stays as it is.
    if (typeof read !== 'object') return void announce(sentenceOfStatus(response.status))
    if (RELOAD_STATUSES.includes(response.status)) return void reloadPage()
    const { detail, publicKey } = (read ?? {}) as { detail?: unknown; publicKey?: Options }
    if (response.ok && publicKey) return publicKey
    announce(typeof detail === 'string' ? detail : UNEXPECTED)
  }

  /** Removes the error of the previous attempt; the place for the next one stays. */
  function forgetLastRefusal(form: HTMLFormElement) {
    for (const alert of form.querySelectorAll<HTMLElement>('[role="alert"]'))
      if (!alert.closest('[data-island], [data-part="unsent"]')) alert.remove()
  }

  function announce(text: string) {
    sentence.textContent = text
    problem.hidden = false
  }
}

/* Not `reload`, which would submit a form again. */
const reloadPage = () => location.replace(location.pathname + location.search)

/* WebAuthn requires https or localhost. */
const isSupported = () => browserSupportsWebAuthn() && 'credentials' in navigator

/** Before sign-in there is no CSRF cookie; the form's token is bound to the browser. */
function csrfToken(form: HTMLFormElement): string {
  const field = form.elements.namedItem('csrf')
  if (field instanceof HTMLInputElement) return field.value
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''
}

/** Returns the name of the browser's `DOMException`, which the library keeps on its own error. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  // The library throws a plain error if the browser returns no credential: the user cancelled.
  return error.name === 'Error' ? 'NotAllowedError' : error.name
}

function part<E extends HTMLElement = HTMLElement>(within: ParentNode, name: string): E {
  const found = within.querySelector<E>(`[data-part="${name}"]`)
  if (!found) throw new Error(`the page has no ${name}`)
  return found
}

onShown('[data-island="security-key"]', mount)
