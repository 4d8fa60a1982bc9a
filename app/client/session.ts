import { type Client, createClient } from './call.ts'
import { setGlobalLoading } from './state.ts'

/** The client of the page that is open. */
export const client: Client = createClient({
  fetch: (...request) => fetch(...request),
  cookies: () => document.cookie,
  place: () => location,
  go: (address) => location.assign(address),
})

/**
 * Asks whether the session is still there, and leaves for /login when it is not. A spinner shows until that is
 * known; an answer without data leaves it there.
 */
export async function checkSession({ call, expire }: Client = client): Promise<void> {
  setGlobalLoading(true, 'Comprobando la sesión…')
  const { ok, status, data } = await call<{ valid: boolean }>('GET', 'session/validate')
  if (!ok || data) setGlobalLoading(false)
  // After a 401 the call itself has left.
  if (status === 403 || (ok && data?.valid === false)) expire()
}

/**
 * Checks the session whenever somebody comes back to this tab, and asks the server anew for a page that the
 * browser had kept as it was left. Ends when the returned function is called.
 */
export function watchSession(): () => void {
  const check = () => {
    if (document.visibilityState === 'visible') void checkSession()
  }
  const renew = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload()
  }
  document.addEventListener('visibilitychange', check)
  window.addEventListener('pageshow', renew)
  return () => {
    document.removeEventListener('visibilitychange', check)
    window.removeEventListener('pageshow', renew)
  }
}

/**
 * Ends the session. Whatever comes of it, it goes on at /login; a failure is only logged.
 *
 * @param otherWay taken after a failure: a form that ends the session and leads to /login, too
 */
export async function logOut(
  otherWay?: () => void,
  { send }: Pick<Client, 'send'> = client,
  go = (address: string) => location.assign(address),
): Promise<void> {
  setGlobalLoading(true, 'Cerrando la sesión…')
  const { ok, status } = await send('POST', 'logout')
  if (!ok) console.warn(`logout was answered with ${status}`)
  if (ok || !otherWay) go('/login')
  else otherWay()
}
