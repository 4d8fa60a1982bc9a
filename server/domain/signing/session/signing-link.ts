import { z } from 'zod'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import {
  type ActivationCode,
  groupedActivationCode,
} from '#server/domain/identity/activation-code.ts'
import { Sha256, SignerId, SigningLinkId, UserId } from '#server/domain/ids.ts'
import { after, days, Instant } from '#server/domain/time.ts'
import type { SignerState } from './signer.ts'
import type { SigningSessionState } from './signing-session.ts'

/** A link that lets an external signer in, once, from one browser. */
export const SigningLink = z.object({
  id: SigningLinkId,
  signerId: SignerId,
  createdAt: Instant,
  createdBy: UserId,
  expiresAt: Instant,
  /** `opened`: bound to one browser; `revoked`: by the office, or by a newer link. */
  state: z.enum(['open', 'opened', 'revoked']),
  stateSince: Instant,
  openedAt: Instant.nullable(),
  consentedAt: Instant.nullable(),
  /** SHA-256 of the aviso de privacidad that the signer consented to. */
  consentText: Sha256.nullable(),
})
export type SigningLink = z.infer<typeof SigningLink>

export const SIGNING_LINK_LIFETIME = days(30)

/** The expiry of a link, not later than the session requires. */
export function expiryOfLink(now: Instant, deadline: Instant | null): Instant {
  const latest = after(now, SIGNING_LINK_LIFETIME)
  return deadline === null || deadline > latest ? latest : deadline
}

/** The stored hash: the code has 130 random bits, so a plain hash suffices. */
export const hashOfSigningCode = (code: ActivationCode): Sha256 => sha256(`signing!${code}`)

/** The URL of the page; the part after `#` stays in the browser and is never logged. */
export const signingLinkAddress = (publicOrigin: string, code: ActivationCode) =>
  `${publicOrigin}/sign#${groupedActivationCode(code)}`

/**
 * Whether the link opens the session at `now`: it has neither expired nor been revoked. If a session ends early, the
 * links of signers who signed nothing are revoked; the others keep access to their copy until the link expires.
 */
export const isLinkLive = (
  { expiresAt, state }: Pick<SigningLink, 'expiresAt' | 'state'>,
  signerState: SignerState,
  sessionState: SigningSessionState,
  now: Instant,
) =>
  state !== 'revoked' && now < expiresAt && signerState !== 'replaced' && sessionState !== 'draft'

/** Whether the signer's own rejection may have ended the link, at a time before it would have expired. */
export const endedByRejection = (
  { expiresAt, state }: Pick<SigningLink, 'expiresAt' | 'state'>,
  signerState: SignerState,
  now: Instant,
) => state === 'revoked' && signerState === 'rejected' && now < expiresAt
