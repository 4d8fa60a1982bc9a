import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough to print them and to return with the back button. */
const KEPT_SECONDS = 600

const Codes = z.array(z.string())

/**
 * Returns a cookie that carries new backup codes to the page that shows them. It is sealed for this
 * session: no disk stores them in clear and no URL contains them.
 */
export function backupCodesCookie(context: Context, codes: readonly string[]): string {
  const sealed = sealText(context, JSON.stringify(codes), placeOf(context))
  return setCookie('__Host-backup-codes', sealed, KEPT_SECONDS)
}

/** Returns the codes, or undefined if there are none to show. */
export function readBackupCodesCookie(
  request: Request,
  context: Context,
): readonly string[] | undefined {
  const text = openText(context, readCookie(request, '__Host-backup-codes'), placeOf(context))
  return text === undefined ? undefined : Codes.parse(JSON.parse(text))
}

export const clearBackupCodesCookie = () => clearCookie('__Host-backup-codes')

const placeOf = (context: Context) =>
  `cookie.backup_codes:${mustBeSignedIn(context.get(actorContext)).sessionId}`
