import { flash } from '#app/http/cookies/flash.ts'

/**
 * Where a guest goes who rejected, with the cookies. Rejection ends the session, and with it the links of signers who have signed
 * nothing; the others keep access to their copies. The browser keeps its token, so that `/sign` shows the rejection later, too.
 */
export function afterRejection({ hasCopy }: { hasCopy: boolean }) {
  const headers = new Headers({ 'Set-Cookie': flash('signing-rejected') })
  return { address: hasCopy ? '/sign/documents' : '/sign', headers }
}
