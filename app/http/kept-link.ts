import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { ActivationPurpose } from '#server/domain/identity/activation.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import { actorContext, systemContext } from './context.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough for the redirect to the page that shows it. */
const KEPT_SECONDS = 120

const KeptLink = z.object({
  userId: UserId,
  purpose: ActivationPurpose,
  code: ActivationCode,
  expiresAt: Instant,
})
export type KeptLink = z.infer<typeof KeptLink>

const Sealed = z
  .string()
  .max(2000)
  .regex(/^\d{1,9}\.[A-Za-z0-9_-]+$/)

/**
 * A cookie in which the code of a new link travels from the answer that made it to the page that shows it.
 * It is sealed for this session: no address names it, and no disk holds it in clear.
 */
export function keepLink(context: Context, { userId, purpose, code, expiresAt }: KeptLink): string {
  const { vault } = context.get(systemContext)
  const plain = Buffer.from(JSON.stringify({ userId, purpose, code, expiresAt }))
  const { keyVersion, bytes } = vault.seal(plain, placeOf(context))
  const value = `${keyVersion}.${Buffer.from(bytes).toString('base64url')}`
  return setCookie('__Host-activation-link', value, KEPT_SECONDS)
}

/** The link, or undefined when it is not for this page or no longer shown. */
export function keptLink(request: Request, context: Context, userId: UserId): KeptLink | undefined {
  const sealed = Sealed.safeParse(readCookie(request, '__Host-activation-link')).data
  if (!sealed) return undefined
  const [version, bytes = ''] = sealed.split('.')
  try {
    const box = { keyVersion: Number(version), bytes: Buffer.from(bytes, 'base64url') }
    const plain = context.get(systemContext).vault.open(box, placeOf(context))
    const link = KeptLink.parse(JSON.parse(Buffer.from(plain).toString('utf8')))
    return link.userId === userId ? link : undefined
  } catch (error) {
    // Of another session, or changed.
    if (error instanceof Problem) return undefined
    throw error
  }
}

export const forgetLink = () => clearCookie('__Host-activation-link')

const placeOf = (context: Context) =>
  `cookie.activation_link:${mustBeSignedIn(context.get(actorContext)).sessionId}`
