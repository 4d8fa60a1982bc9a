import { type RouterContextProvider, redirectDocument } from 'react-router'
import { renewed, withReturnUrl } from '#app/http/come-in.ts'
import { flash } from '#app/http/flash.ts'
import { keepCodes } from '#app/http/kept-codes.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'

type Added = {
  tokens: SessionTokens
  /** Created with the first factor. */
  backupCodes?: readonly string[] | undefined
}

/**
 * Redirects after a factor was set up: to the new backup codes, if any, then to the wanted page.
 *
 * @param news what the page says of one that is not the first
 */
export function factorAdded(
  context: Readonly<RouterContextProvider>,
  { tokens, backupCodes }: Added,
  wanted: string,
  news: 'key-added' | 'app-added',
) {
  const headers = renewed(context, tokens)
  headers.append('Set-Cookie', backupCodes ? keepCodes(context, backupCodes) : flash(news))
  const next = backupCodes ? withReturnUrl('/setup-mfa/backup-codes', wanted) : wanted
  return redirectDocument(next, { status: 303, headers })
}
