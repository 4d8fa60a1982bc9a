import { insertWebauthnChallenge } from '#server/db/factors/webauthn-challenges.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { isUsable } from '#server/domain/identity/webauthn-credential.ts'
import {
  type AssertionOptions,
  assertionOptions,
} from '#server/domain/identity/webauthn-options.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findBearer } from './find-bearer.ts'
import { newChallenge } from './new-challenge.ts'

/**
 * Options for a WebAuthn assertion, for a pending sign-in or a step-up. A step-up requires user verification
 * (PIN or fingerprint); a sign-in, right after the password, does not.
 *
 * @param input.signInToken of a pending sign-in
 * @throws {Problem} `not-signed-in`, or `factor-refused` for a user without a usable key
 */
export async function beginWebauthnAuthentication(
  system: System,
  actor: Actor,
  input: { signInToken?: Token | undefined },
): Promise<AssertionOptions> {
  const { db, clock, settings } = system
  const at = clock.now()
  const { id, userId, purpose } = await findBearer(system, actor, input.signInToken, at)
  const keys = (await listWebauthnCredentials(db, userId)).filter(isUsable)
  if (keys.length === 0) throw new Problem('factor-refused', `${userId} has no key to be asked`)

  const challenge = newChallenge({ purpose, bearer: id, userId }, at)
  await db.transaction((trx) => insertWebauthnChallenge(trx, challenge))
  return assertionOptions({
    publicOrigin: settings.publicOrigin,
    challenge: challenge.challenge,
    keys,
    verification: purpose === 'step-up' ? 'required' : 'discouraged',
  })
}
