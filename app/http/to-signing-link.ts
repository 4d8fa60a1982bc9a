import { redirectDocument } from 'react-router'
import { clearCookie, readCookie } from './cookies.ts'
import { flash } from './flash.ts'

/** Leads to the page that opens links. Whoever had one that opens nothing any more hears that. */
export function toSigningLink(request: Request): Response {
  const headers = new Headers()
  if (readCookie(request, '__Host-guest')) {
    headers.append('Set-Cookie', clearCookie('__Host-guest'))
    headers.append('Set-Cookie', flash('signing-link-over'))
  }
  return redirectDocument('/sign', { status: 303, headers })
}
