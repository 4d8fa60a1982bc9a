import { type Client, createClient } from './call.ts'
import { setGlobalLoading } from './state.ts'
import { typedForm } from './typed-form.ts'
import { letLeave } from './unsaved.ts'

export const client: Client = createClient({
  fetch: (...request) => fetch(...request),
  cookies: () => document.cookie,
  place: () => location,
  typed: () => typedForm(),
  go: leaveFor,
})

/** What was typed is kept already, or is given up on purpose. */
function leaveFor(address: string): void {
  letLeave()
  location.assign(address)
}

/**
 * Checks the session with the server and redirects to /login if it is over. Shows a spinner meanwhile; it
 * stays if the response has no data.
 */
export async function checkSession({ call, expire }: Client = client): Promise<void> {
  setGlobalLoading(true, 'Comprobando la sesión…')
  const { ok, status, data } = await call<{ valid: boolean }>('GET', 'session/validate')
  if (!ok || data) setGlobalLoading(false)
  // On a 401 the call has already redirected.
  if (status === 403 || (ok && data?.valid === false)) expire()
}

/**
 * Checks the session whenever the tab becomes visible, and reloads a page restored from the back/forward
 * cache. The returned function stops it.
 */
export function watchSession(): () => void {
  const check = () => {
    if (document.visibilityState === 'visible') void checkSession()
  }
  const renew = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    letLeave()
    location.reload()
  }
  document.addEventListener('visibilitychange', check)
  window.addEventListener('pageshow', renew)
  return () => {
    document.removeEventListener('visibilitychange', check)
    window.removeEventListener('pageshow', renew)
  }
}

/**
 * Ends the session and goes to /login, even on failure, which is only logged.
 *
 * @param fallback fallback after a failure: submits the sign-out form
 */
export async function logOut(
  fallback?: () => void,
  { send }: Pick<Client, 'send'> = client,
  go = leaveFor,
): Promise<void> {
  setGlobalLoading(true, 'Cerrando la sesión…')
  const { ok, status } = await send('POST', 'logout')
  if (!ok) console.warn(`logout was answered with ${status}`)
  if (ok || !fallback) go('/login')
  else fallback()
}
