import { randomBytes, randomUUID } from 'node:crypto'
import { insertWebauthnChallenge } from '#server/db/factors/webauthn-challenges.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import { insertPresenceCommitment } from '#server/db/presence/presence-challenges.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { CHALLENGE_LIFE } from '#server/domain/identity/webauthn-challenge.ts'
import { isUsable } from '#server/domain/identity/webauthn-credential.ts'
import {
  type AssertionOptions,
  assertionOptions,
} from '#server/domain/identity/webauthn-options.ts'
import { WebauthnChallengeId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { canonicalList, NONCE_BYTES, presenceChallenge } from '#server/domain/signing/presence.ts'
import { after } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findShown, type PresentDocuments } from './find-shown.ts'

/**
 * Options for a WebAuthn assertion that proves presence for exactly these document versions. Requires user
 * verification (PIN or fingerprint).
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `factor-refused` for a user without a usable key
 */
export async function beginPresence(
  system: System,
  actor: Actor,
  input: { documents: PresentDocuments },
): Promise<AssertionOptions> {
  const { db, clock, settings } = system
  const at = clock.now()
  const { userId, sessionId } = mustBeSignedIn(actor)
  const shown = await findShown(system, actor, input.documents, at)
  const keys = (await listWebauthnCredentials(db, userId)).filter(isUsable)
  if (keys.length === 0) throw new Problem('factor-refused', `${userId} has no key to be asked`)

  const nonce = randomBytes(NONCE_BYTES)
  const list = canonicalList(shown, userId)
  const challenge = presenceChallenge(nonce, list)
  const expiresAt = after(at, CHALLENGE_LIFE)
  await db.transaction(async (trx) => {
    await insertWebauthnChallenge(trx, {
      id: WebauthnChallengeId.parse(randomUUID()),
      challenge,
      purpose: 'presence',
      bearer: sessionId,
      userId,
      createdAt: at,
      expiresAt,
      usedAt: null,
    })
    await insertPresenceCommitment(trx, { challenge, nonce, list, expiresAt }, at)
  })
  const { publicOrigin } = settings
  return assertionOptions({ publicOrigin, challenge, keys, verification: 'required' })
}
