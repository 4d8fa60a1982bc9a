import { z } from 'zod'
import { SessionId, SignInId, UserId, WebauthnChallengeId } from '#server/domain/ids.ts'
import { Instant, minutes } from '#server/domain/time.ts'
import { Base64url, type KeyRefusal } from './webauthn-answer.ts'

/** 256 bits; the standard asks for 128. */
export const CHALLENGE_BYTES = 32

/** How long a key may take: to find it, to touch it, to type its PIN. */
export const CHALLENGE_LIFE = minutes(5)

/** What an answer is good for, and for nothing else. */
export const ChallengePurpose = z.enum(['registration', 'second-factor', 'step-up', 'presence'])
export type ChallengePurpose = z.infer<typeof ChallengePurpose>

/** Random bytes that a key signs, once. */
export const WebauthnChallenge = z.object({
  id: WebauthnChallengeId,
  challenge: Base64url,
  purpose: ChallengePurpose,
  /** The pending sign-in or the session that asked for it: of no use to any other. */
  bearer: z.union([SignInId, SessionId]),
  userId: UserId,
  createdAt: Instant,
  expiresAt: Instant,
  usedAt: Instant.nullable(),
})
export type WebauthnChallenge = z.infer<typeof WebauthnChallenge>

/** Why it may not be answered any more. */
export function refusalOfChallenge(
  { usedAt, expiresAt }: WebauthnChallenge,
  now: Instant,
): KeyRefusal | undefined {
  if (usedAt !== null) return 'used-challenge'
  if (now >= expiresAt) return 'expired-challenge'
}
