import { type RouterContextProvider, redirectDocument } from 'react-router'
import { backupCodesCookie } from '#app/http/cookies/backup-codes-cookie.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { sessionHeaders, withReturnUrl } from '#app/http/sign-in-redirects.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'

type Added = {
  tokens: SessionTokens
  /** Created with the first factor. */
  backupCodes?: readonly string[] | undefined
}

/**
 * Redirects after a factor was set up: to the new backup codes, if any, then to `returnTo`.
 *
 * @param notice what the page says of one that is not the first
 */
export function factorAdded(
  context: Readonly<RouterContextProvider>,
  { tokens, backupCodes }: Added,
  returnTo: string,
  notice: 'key-added' | 'app-added',
) {
  const headers = sessionHeaders(context, tokens)
  headers.append(
    'Set-Cookie',
    backupCodes ? backupCodesCookie(context, backupCodes) : flash(notice),
  )
  const next = backupCodes ? withReturnUrl('/setup-mfa/backup-codes', returnTo) : returnTo
  return redirectDocument(next, { status: 303, headers })
}
