import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { SignerId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Instant } from '#server/domain/time.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough for the redirect to the page that shows it. */
const KEPT_SECONDS = 120

const NewSigningLink = z.object({
  signerId: SignerId,
  code: ActivationCode,
  expiresAt: Instant,
})
export type NewSigningLink = z.infer<typeof NewSigningLink>

/**
 * Returns a cookie that carries the code of a new link to the page that shows it, sealed for this session.
 */
export function signingLinkCookie(
  context: Context,
  { signerId, code, expiresAt }: NewSigningLink,
): string {
  const text = JSON.stringify({ signerId, code, expiresAt })
  return setCookie('__Host-signing-link', sealText(context, text, placeOf(context)), KEPT_SECONDS)
}

/** Returns the link, or undefined if it has expired or belongs to another signer. */
export function readSigningLinkCookie(
  request: Request,
  context: Context,
  signerId: SignerId,
): NewSigningLink | undefined {
  const text = openText(context, readCookie(request, '__Host-signing-link'), placeOf(context))
  const link = text === undefined ? undefined : NewSigningLink.parse(JSON.parse(text))
  return link?.signerId === signerId ? link : undefined
}

export const clearSigningLinkCookie = () => clearCookie('__Host-signing-link')

const placeOf = (context: Context) =>
  `cookie.signing_link:${mustBeSignedIn(context.get(actorContext)).sessionId}`
