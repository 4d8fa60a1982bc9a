import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { ActivationPurpose } from '#server/domain/identity/activation.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Instant } from '#server/domain/time.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough for the redirect to the page that shows it. */
const KEPT_SECONDS = 120

const ActivationLink = z.object({
  userId: UserId,
  purpose: ActivationPurpose,
  code: ActivationCode,
  expiresAt: Instant,
})
export type ActivationLink = z.infer<typeof ActivationLink>

/**
 * Returns a cookie that carries the code of a new link to the page that shows it. It is sealed for this
 * session: no URL contains it and no disk stores it in clear.
 */
export function activationLinkCookie(
  context: Context,
  { userId, purpose, code, expiresAt }: ActivationLink,
): string {
  const text = JSON.stringify({ userId, purpose, code, expiresAt })
  return setCookie(
    '__Host-activation-link',
    sealText(context, text, placeOf(context)),
    KEPT_SECONDS,
  )
}

/** Returns the link, or undefined if it has expired or belongs to another user. */
export function readActivationLinkCookie(
  request: Request,
  context: Context,
  userId: UserId,
): ActivationLink | undefined {
  const sealed = readCookie(request, '__Host-activation-link')
  const text = openText(context, sealed, placeOf(context))
  const link = text === undefined ? undefined : ActivationLink.parse(JSON.parse(text))
  return link?.userId === userId ? link : undefined
}

export const clearActivationLinkCookie = () => clearCookie('__Host-activation-link')

const placeOf = (context: Context) =>
  `cookie.activation_link:${mustBeSignedIn(context.get(actorContext)).sessionId}`
