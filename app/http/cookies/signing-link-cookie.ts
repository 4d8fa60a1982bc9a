import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { SignerId, SigningLinkId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { after, Instant, minutes } from '#server/domain/time.ts'
import { readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough to copy, print or scan the links of all parties of a deed. */
const SHOWN_MINUTES = 30
const SHOWN = minutes(SHOWN_MINUTES)

/** A cookie of these stays below the 4,096 bytes that browsers keep. */
const MOST_SHOWN = 10

const ShownLink = z.object({
  id: SigningLinkId,
  signerId: SignerId,
  code: ActivationCode,
  expiresAt: Instant,
  shownUntil: Instant,
})
export type ShownLink = z.infer<typeof ShownLink>

const ShownLinks = z.array(ShownLink).max(MOST_SHOWN)

/**
 * Returns a cookie with the code of a new link beside those that this session made before. Only the hash of a code is
 * stored on the server, so the browser that asked for a link carries it, sealed for the user's session: a reload shows
 * the link again, another browser or session cannot.
 */
export function signingLinkCookie(
  request: Request,
  context: Context,
  { id, signerId, code, expiresAt }: Omit<ShownLink, 'shownUntil'>,
): string {
  const shownUntil = after(context.get(systemContext).clock.now(), SHOWN)
  const others = readAll(request, context).filter((link) => link.signerId !== signerId)
  const links = [...others, { id, signerId, code, expiresAt, shownUntil }].slice(-MOST_SHOWN)
  const sealed = sealText(context, JSON.stringify(links), placeOf(context))
  return setCookie('__Host-signing-link', sealed, SHOWN_MINUTES * 60)
}

/**
 * Returns the link that this session made for the signer, or undefined once it may not be shown any more.
 *
 * @param id the link that works now: an earlier one is not shown
 */
export function readSigningLinkCookie(
  request: Request,
  context: Context,
  id: SigningLinkId,
): ShownLink | undefined {
  return readAll(request, context).find((link) => link.id === id)
}

function readAll(request: Request, context: Context): ShownLink[] {
  const text = openText(context, readCookie(request, '__Host-signing-link'), placeOf(context))
  const links = ShownLinks.safeParse(text === undefined ? [] : JSON.parse(text))
  const now = context.get(systemContext).clock.now()
  return (links.data ?? []).filter(({ shownUntil }) => now < shownUntil)
}

const placeOf = (context: Context) =>
  `cookie.signing_link:${mustBeSignedIn(context.get(actorContext)).sessionId}`
