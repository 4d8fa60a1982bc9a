import { redirectDocument } from 'react-router'
import { Problem } from '#server/domain/problem.ts'
import { isSentByScript } from './answer-to-script.ts'
import { clearCookie, readCookie } from './cookies/cookies.ts'
import { flash } from './cookies/flash.ts'
import { orErrorPage } from './problems.ts'

/**
 * Redirects to the page that opens signing links; shows a message if the link is no longer valid. A form that the page's
 * script sent gets the message alone: the guest cannot sign in again, and may want to copy what they typed.
 *
 * @param hasRejected whether the guest's own rejection ended the link: the page says so as long as the browser has its token
 */
export async function redirectToSigningLink(
  request: Request,
  hasRejected = false,
): Promise<Response> {
  if (isSentByScript(request)) await orErrorPage(Promise.reject(linkOver()))
  const headers = new Headers()
  if (readCookie(request, '__Host-guest') && !hasRejected) {
    headers.append('Set-Cookie', clearCookie('__Host-guest'))
    headers.append('Set-Cookie', flash('signing-link-over'))
  }
  return redirectDocument('/sign', { status: 303, headers })
}

const linkOver = () => new Problem('signing-link-over', 'a form of a guest without a valid link')
