/** The answer to a call; the status is 0 without a connection. `data` is undefined if it is not ours. */
export type CallAnswer = { status: number; data: Record<string, unknown> | undefined }

const ADDRESS = '/dashboard/documents/uploads'

/** Sends a small form. Never throws. */
export async function post(
  path: string,
  body: URLSearchParams | FormData | undefined,
  signal?: AbortSignal,
): Promise<CallAnswer> {
  try {
    const response = await fetch(ADDRESS + path, {
      method: 'POST',
      credentials: 'include',
      headers: { 'X-CSRFToken': csrfToken() },
      ...(body && { body }),
      // Also if the page is left at once.
      keepalive: body === undefined,
      ...(signal && { signal }),
    })
    return { status: response.status, data: ours(await response.json().catch(() => undefined)) }
  } catch {
    return { status: 0, data: undefined }
  }
}

/** Sends the bytes of a part. Never throws. `fetch` does not tell how much was sent. */
export function postPart(
  path: string,
  part: Blob,
  { digest, signal, onSent }: { digest: string; signal: AbortSignal; onSent(bytes: number): void },
): Promise<CallAnswer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', ADDRESS + path)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Content-Digest', `sha-256=:${digest}:`)
    request.setRequestHeader('X-CSRFToken', csrfToken())
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      resolve({ status: request.status, data: parsed(request.responseText) })
    })
    signal.addEventListener('abort', abort)
    request.send(part)
  })
}

/** Of the session of now: it may have been renewed in another tab. */
const csrfToken = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''

function parsed(text: string): CallAnswer['data'] {
  try {
    return ours(JSON.parse(text))
  } catch {
    return undefined
  }
}

const ours = (value: unknown): CallAnswer['data'] =>
  typeof value === 'object' && value !== null && 'kind' in value ? { ...value } : undefined
