import { randomBytes, randomUUID } from 'node:crypto'
import {
  CHALLENGE_BYTES,
  CHALLENGE_LIFE,
  type WebauthnChallenge,
} from '#server/domain/identity/webauthn-challenge.ts'
import { WebauthnChallengeId } from '#server/domain/ids.ts'
import { after, type Instant } from '#server/domain/time.ts'

/** A fresh random challenge for this bearer and purpose. */
export function newChallenge(
  wanted: Pick<WebauthnChallenge, 'purpose' | 'bearer' | 'userId'>,
  at: Instant,
): WebauthnChallenge {
  return {
    ...wanted,
    id: WebauthnChallengeId.parse(randomUUID()),
    challenge: randomBytes(CHALLENGE_BYTES).toString('base64url'),
    createdAt: at,
    expiresAt: after(at, CHALLENGE_LIFE),
    usedAt: null,
  }
}
