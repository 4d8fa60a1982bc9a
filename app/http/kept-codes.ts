import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { actorContext, systemContext } from './context.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough to print them and to come back with the back button. */
const KEPT_SECONDS = 600

const Sealed = z
  .string()
  .max(2000)
  .regex(/^\d{1,9}\.[A-Za-z0-9_-]+$/)
const Codes = z.array(z.string().max(40)).max(20)

/**
 * A cookie in which new backup codes travel from the answer that made them to the page that shows them. They
 * are sealed for this session: neither the server's disk nor the browser's ever holds them in clear, and
 * no address names them.
 */
export function keepCodes(context: Context, codes: readonly string[]): string {
  const { vault } = context.get(systemContext)
  const { keyVersion, bytes } = vault.seal(Buffer.from(JSON.stringify(codes)), placeOf(context))
  const value = `${keyVersion}.${Buffer.from(bytes).toString('base64url')}`
  return setCookie('__Host-backup-codes', value, KEPT_SECONDS)
}

/** The codes, or undefined when they are no longer shown. */
export function keptCodes(request: Request, context: Context): readonly string[] | undefined {
  const sealed = Sealed.safeParse(readCookie(request, '__Host-backup-codes')).data
  if (!sealed) return undefined
  const [version, bytes = ''] = sealed.split('.')
  try {
    const plain = context
      .get(systemContext)
      .vault.open(
        { keyVersion: Number(version), bytes: Buffer.from(bytes, 'base64url') },
        placeOf(context),
      )
    return Codes.parse(JSON.parse(Buffer.from(plain).toString('utf8')))
  } catch (error) {
    // Of another session, or changed.
    if (error instanceof Problem) return undefined
    throw error
  }
}

export const forgetCodes = () => clearCookie('__Host-backup-codes')

const placeOf = (context: Context) =>
  `cookie.backup_codes:${mustBeSignedIn(context.get(actorContext)).sessionId}`
