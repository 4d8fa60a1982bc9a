import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { noticeOf } from '#app/client/notice-of.ts'
import { addNotification } from '#app/client/state.ts'

/**
 * Sends a form with large files from a hydrated page: if that fails, everything stays in the form, the chosen files too. The
 * browser streams the files from the disk; React Router would read all of them into memory first.
 *
 * @param first the answer with which the page came, if the browser itself sent the form
 * @returns the last answer of the page's action, and what the form's `onSubmit` does
 */
export function useSentFiles<T>(first: T) {
  const [answer, setAnswer] = useState(first)
  const sent = useRef<AbortController>(undefined)
  // As if the browser sent it: leaving the page ends it.
  useEffect(() => () => sent.current?.abort(), [])
  useEffect(() => {
    if (answer !== first) showAnswer()
  }, [answer, first])

  async function send(form: HTMLFormElement, { signal }: AbortController) {
    const outcome = await post<T>(form, signal)
    if (signal.aborted) return
    // The form stays busy meanwhile: a second click would send it twice.
    if (outcome.kind === 'next') return location.assign(outcome.address)
    sent.current = undefined
    form.removeAttribute('aria-busy')
    if (outcome.kind === 'answer') return setAnswer(outcome.answer)
    const { type, message } = noticeOf(outcome.status)
    addNotification({ type, message: outcome.sentence ?? message })
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sent.current) return
    const form = event.currentTarget
    sent.current = new AbortController()
    form.setAttribute('aria-busy', 'true')
    void send(form, sent.current)
  }

  return { answer, onSubmit }
}

function showAnswer() {
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus()
}

type Outcome<T> =
  | { kind: 'next'; address: string }
  | { kind: 'answer'; answer: T }
  /** The status is 0 without a connection. */
  | { kind: 'unsent'; status: number; sentence?: string | undefined }

async function post<T>(form: HTMLFormElement, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    const response = await fetch(location.href, {
      method: 'POST',
      body: new FormData(form),
      headers: { 'X-Form': 'data' },
      signal,
    })
    // A proxy sends none.
    const from = response.headers.get('X-Form')
    if (from === 'next') return { kind: 'next', address: await response.text() }
    if (from === 'data') return { kind: 'answer', answer: await response.json() }
    const { status } = response
    const isRefusal = from === 'page' && status !== 500
    const sentence = isRefusal ? refusalIn(await response.text()) : undefined
    return { kind: 'unsent', status, sentence }
  } catch {
    return { kind: 'unsent', status: 0 }
  }
}

/** The sentence of an error page of ours. */
function refusalIn(html: string): string | undefined {
  const page = document.implementation.createHTMLDocument()
  page.documentElement.innerHTML = html
  return page.querySelector('[data-refusal]')?.textContent ?? undefined
}
