import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { actorContext } from './context.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough to print them and to come back with the back button. */
const KEPT_SECONDS = 600

const Codes = z.array(z.string().max(40)).max(20)

/**
 * A cookie in which new backup codes travel from the answer that made them to the page that shows them. They
 * are sealed for this session: neither the server's disk nor the browser's ever holds them in clear, and
 * no address names them.
 */
export function keepCodes(context: Context, codes: readonly string[]): string {
  const sealed = sealText(context, JSON.stringify(codes), placeOf(context))
  return setCookie('__Host-backup-codes', sealed, KEPT_SECONDS)
}

/** The codes, or undefined when they are no longer shown. */
export function keptCodes(request: Request, context: Context): readonly string[] | undefined {
  const text = openText(context, readCookie(request, '__Host-backup-codes'), placeOf(context))
  return text === undefined ? undefined : Codes.parse(JSON.parse(text))
}

export const forgetCodes = () => clearCookie('__Host-backup-codes')

const placeOf = (context: Context) =>
  `cookie.backup_codes:${mustBeSignedIn(context.get(actorContext)).sessionId}`
