import { errors } from '#app/messages/errors.ts'
import { SESSION_EXPIRED_DURATION_MS } from '#app/messages/notices.ts'
import { noticeOf } from './notice-of.ts'
import { addNotification, clearMfaChallenge, setMfaChallenge } from './state.ts'
import type { TypedForm } from './typed-form.ts'

/** The browser functions that a call uses. */
export type Browser = {
  fetch: typeof fetch
  /** The value of `document.cookie`. */
  cookies(): string
  place(): { pathname: string; search: string }
  /** The form that was not sent; undefined if nothing was typed. */
  typed(): TypedForm | undefined
  /** Loads another document. */
  go(address: string): void
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The result of a call; the status is 0 without a connection. The client already shows the error. */
type Answer<T> = { ok: boolean; status: number; data: T | undefined }

export type Client = {
  /** Calls `/api/v1/auth/` + `path`; never throws. */
  call<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
  /** Like `call`, without a notice and without a retry. */
  send<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
  /** Shows that the session expired and redirects to /login; what was typed is shown again after sign-in. */
  expire(): void
}

/** A 401 of these calls means wrong credentials, not an expired session. */
const PROOF_CALLS = /^(?:login|verify-mfa|webauthn\/authenticate\/(?:begin|finish))$/

type Challenge = { requiresMFA?: boolean; mfaSessionToken?: string | null } | undefined

export function createClient(browser: Browser): Client {
  let refreshing: Promise<boolean> | undefined
  let isLeaving = false

  async function send<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    const token = cookie(browser, 'csrftoken')
    // The server requires a JSON body for POST, if only `{}`.
    const sent = body ?? (method === 'POST' ? {} : undefined)
    try {
      const response = await browser.fetch(`/api/v1/auth/${path}`, {
        method,
        credentials: 'include',
        headers: {
          ...(token !== undefined && { 'X-CSRFToken': token }),
          ...(sent && { 'Content-Type': 'application/json' }),
        },
        ...(sent && { body: JSON.stringify(sent) }),
      })
      const data: T | undefined = await response.json().catch(() => undefined)
      return { ok: response.ok, status: response.status, data }
    } catch {
      return { ok: false, status: 0, data: undefined }
    }
  }

  /** Concurrent calls share one refresh. */
  function refresh(): Promise<boolean> {
    refreshing ??= send('POST', 'refresh').then(({ ok, data }) => {
      refreshing = undefined
      return ok && data !== undefined
    })
    return refreshing
  }

  function expire(): void {
    if (isLeaving) return
    clearMfaChallenge()
    addNotification({
      type: 'warning',
      message: errors.sessionExpired,
      duration: SESSION_EXPIRED_DURATION_MS,
    })
    const { pathname, search } = browser.place()
    if (pathname === '/login' || pathname === '/') return
    isLeaving = true
    const leave = (query: string) =>
      browser.go(`/login?returnUrl=${encodeURIComponent(pathname + query)}`)
    const typed = browser.typed()
    if (!typed) leave(search)
    else
      void keep(typed).then((kept) => leave(kept === undefined ? search : withKept(search, kept)))
  }

  /** Has the server keep a form until its user has signed in again. Returns its id. */
  async function keep({ path, fields }: TypedForm): Promise<string | undefined> {
    try {
      const address = `/keep-form?path=${encodeURIComponent(path)}`
      const request = { method: 'POST', credentials: 'include', body: fields } as const
      const response = await browser.fetch(address, request)
      const { kept }: { kept?: string } = await response.json()
      return kept
    } catch {
      return undefined
    }
  }

  async function call<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    let answer = await send<T>(method, path, body)
    if (answer.status === 401 && !PROOF_CALLS.test(path)) {
      const canRefresh = path !== 'refresh' && cookie(browser, 'refresh_token') !== undefined
      if (canRefresh && (await refresh())) answer = await send<T>(method, path, body)
      if (answer.status === 401) expire()
    }
    if (!answer.ok && answer.status !== 401) addNotification(noticeOf(answer.status))
    if (answer.ok && PROOF_CALLS.test(path)) rememberChallenge(answer.data as Challenge)
    return answer
  }

  return { call, send, expire }
}

function withKept(search: string, kept: string): string {
  const query = new URLSearchParams(search)
  // As in app/http/kept-form.ts.
  query.set('conservado', kept)
  return `?${query}`
}

/** Stores the pending second factor of a sign-in; clears it once the sign-in is complete. */
function rememberChallenge(data: Challenge): void {
  if (data?.requiresMFA && data.mfaSessionToken) setMfaChallenge(data.mfaSessionToken)
  else if (data?.requiresMFA === false) clearMfaChallenge()
}

function cookie(browser: Browser, name: string): string | undefined {
  const pairs = browser.cookies().split('; ')
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return value || undefined
}
