import { errors } from '#app/messages/errors.ts'
import { SESSION_EXPIRED_DURATION_MS } from '#app/messages/notices.ts'
import { noticeOf } from './notice-of.ts'
import { addNotification, clearMfaChallenge, setMfaChallenge } from './state.ts'

/** What a call needs of the browser. */
export type Browser = {
  fetch: typeof fetch
  /** As `document.cookie` says it: what scripts may read. */
  cookies(): string
  place(): { pathname: string; search: string }
  /** Leaves for another document. */
  go(address: string): void
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The answer of a call; without a connection the status is 0. Whoever called need not say what failed. */
export type Answer<T> = { ok: boolean; status: number; data: T | undefined }

export type Client = {
  /** Calls `/api/v1/auth/` + `path`; never throws. */
  call<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
  /** The same without a word to whoever looks at the page, and without a second try. */
  send<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
  /** Says that the session ran out, and goes to where another one begins. */
  expire(): void
}

/** Their 401 is an answer to what was typed, and not the end of a session. */
const PROVING = /^(?:login|verify-mfa|webauthn\/authenticate\/(?:begin|finish))$/

type Challenge = { requiresMFA?: boolean; mfaSessionToken?: string | null } | undefined

export function createClient(browser: Browser): Client {
  let refreshing: Promise<boolean> | undefined
  let isLeaving = false

  async function send<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    const token = cookie(browser, 'csrftoken')
    // The server takes a change only with a body that says what it is, if only `{}`.
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

  /** All calls that find the session over wait for one and the same exchange. */
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
    browser.go(`/login?returnUrl=${encodeURIComponent(pathname + search)}`)
  }

  async function call<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    let answer = await send<T>(method, path, body)
    if (answer.status === 401 && !PROVING.test(path)) {
      const canRefresh = path !== 'refresh' && cookie(browser, 'refresh_token') !== undefined
      if (canRefresh && (await refresh())) answer = await send<T>(method, path, body)
      if (answer.status === 401) expire()
    }
    if (!answer.ok && answer.status !== 401) addNotification(noticeOf(answer.status))
    if (answer.ok && PROVING.test(path)) rememberChallenge(answer.data as Challenge)
    return answer
  }

  return { call, send, expire }
}

/** What a password that is right but not enough leaves behind, until a second factor has done with it. */
function rememberChallenge(data: Challenge): void {
  if (data?.requiresMFA && data.mfaSessionToken) setMfaChallenge(data.mfaSessionToken)
  else if (data?.requiresMFA === false) clearMfaChallenge()
}

function cookie(browser: Browser, name: string): string | undefined {
  const pairs = browser.cookies().split('; ')
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return value || undefined
}
