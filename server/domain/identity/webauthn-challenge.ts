import { z } from 'zod'
import { SessionId, SignInId, UserId, WebauthnChallengeId } from '#server/domain/ids.ts'
import { Instant, minutes } from '#server/domain/time.ts'
import { Base64url, type KeyRefusal } from './webauthn-answer.ts'

/** 256 bits; the standard requires 128. */
export const CHALLENGE_BYTES = 32

/** Time to find the key, touch it, and enter its PIN. */
export const CHALLENGE_LIFE = minutes(5)

/** The only purpose of an answer. */
export const ChallengePurpose = z.enum(['registration', 'second-factor', 'step-up', 'presence'])
export type ChallengePurpose = z.infer<typeof ChallengePurpose>

/** Random bytes for one answer of a key. */
export const WebauthnChallenge = z.object({
  id: WebauthnChallengeId,
  challenge: Base64url,
  purpose: ChallengePurpose,
  /** The pending sign-in or session that requested it; useless to any other. */
  bearer: z.union([SignInId, SessionId]),
  userId: UserId,
  createdAt: Instant,
  expiresAt: Instant,
  usedAt: Instant.nullable(),
})
export type WebauthnChallenge = z.infer<typeof WebauthnChallenge>

/** Why it can no longer be answered. */
export function refusalOfChallenge(
  { usedAt, expiresAt }: WebauthnChallenge,
  now: Instant,
): KeyRefusal | undefined {
  if (usedAt !== null) return 'used-challenge'
  if (now >= expiresAt) return 'expired-challenge'
}
