import { type RouterContextProvider, redirectDocument } from 'react-router'
import { systemContext } from './context.ts'
import { readCookie } from './cookies/cookies.ts'
import { flash } from './cookies/flash.ts'
import { KEPT, keepLateForm } from './kept-form.ts'
import { pageBefore, safeReturnUrl } from './return-url.ts'

type Asked = { request: Request; context: Readonly<RouterContextProvider>; url: URL }

/**
 * Redirects to /login, and back to `url` after sign-in. A form that came too late is kept: after sign-in its page shows it
 * again, with what was typed.
 */
export async function redirectToLogin({ request, context, url }: Asked): Promise<Response> {
  const headers = new Headers()
  // A leftover session cookie means that the session expired or was ended: show the message. Keep the
  // cookies: another tab may have renewed them while this request was in flight.
  if (readCookie(request, '__Host-session')) headers.append('Set-Cookie', flash('session-expired'))
  const kept =
    request.method === 'POST' ? await keepLateForm(request, context, url.pathname) : undefined
  const page = kept === undefined ? url : pageWith(kept, { request, context, url })
  const returnUrl = encodeURIComponent(page.pathname + page.search)
  return redirectDocument(`/login?returnUrl=${returnUrl}`, { headers })
}

/** The page of the form: the address to which it was sent may have none. */
function pageWith(kept: string, { request, context, url }: Asked): URL {
  const { publicOrigin } = context.get(systemContext).settings
  const before = safeReturnUrl(pageBefore(request, publicOrigin), publicOrigin, url.pathname)
  const page = new URL(before, publicOrigin)
  page.searchParams.set(KEPT, kept)
  return page
}
