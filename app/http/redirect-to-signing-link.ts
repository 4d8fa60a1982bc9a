import { redirectDocument } from 'react-router'
import { clearCookie, readCookie } from './cookies/cookies.ts'
import { flash } from './cookies/flash.ts'

/** Redirects to the page that opens signing links; shows a message if the link is no longer valid. */
export function redirectToSigningLink(request: Request): Response {
  const headers = new Headers()
  if (readCookie(request, '__Host-guest')) {
    headers.append('Set-Cookie', clearCookie('__Host-guest'))
    headers.append('Set-Cookie', flash('signing-link-over'))
  }
  return redirectDocument('/sign', { status: 303, headers })
}
