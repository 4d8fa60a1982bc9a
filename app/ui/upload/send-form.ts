export type Outcome<T> =
  | { kind: 'next'; address: string }
  | { kind: 'answer'; answer: T }
  /** The status is 0 without a connection. */
  | { kind: 'unsent'; status: number; sentence?: string | undefined }

/**
 * Sends a form with a large file to its page. The browser streams the file from the disk; React Router would read all of it into
 * memory first.
 */
export async function sendForm<T>(body: FormData, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    const response = await fetch(location.href, {
      method: 'POST',
      body,
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
