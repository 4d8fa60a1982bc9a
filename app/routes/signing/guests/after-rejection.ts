import { clearCookie } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'

/**
 * Where a guest goes who rejected, with the cookies. Rejection ends the session, and with it the links of signers who have signed
 * nothing; the others keep access to their copies.
 */
export function afterRejection({ hasCopy }: { hasCopy: boolean }) {
  const headers = new Headers({ 'Set-Cookie': flash('signing-rejected') })
  if (hasCopy) return { address: '/sign/documents', headers }
  headers.append('Set-Cookie', clearCookie('__Host-guest'))
  return { address: '/sign', headers }
}
