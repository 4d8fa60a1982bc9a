import { insertWebauthnChallenge } from '#server/db/factors/webauthn-challenges.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { MOST_KEYS } from '#server/domain/identity/webauthn-credential.ts'
import {
  type RegistrationOptions,
  registrationOptions,
} from '#server/domain/identity/webauthn-options.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { newChallenge } from './new-challenge.ts'

/**
 * Options for registering a new security key. Changes nothing until the browser answers.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `password-change-needed`, `too-many-keys`
 */
export async function beginWebauthnRegistration(
  system: System,
  actor: Actor,
): Promise<RegistrationOptions> {
  const { db, clock, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, at)
  const [user, office] = [await findUser(db, person.userId), await findOffice(db, person.officeId)]
  if (!user || !office) throw new Error(`${person.userId} or their office is gone`)
  const registered = await listWebauthnCredentials(db, user.id)
  if (registered.length >= MOST_KEYS)
    throw new Problem('too-many-keys', `${user.id} has ${registered.length}`)

  const { sessionId: bearer } = person
  const challenge = newChallenge({ purpose: 'registration', bearer, userId: user.id }, at)
  await db.transaction((trx) => insertWebauthnChallenge(trx, challenge))
  return registrationOptions({
    publicOrigin: settings.publicOrigin,
    officeName: office.name,
    user: { id: user.id, name: user.email, displayName: fullName(user) },
    challenge: challenge.challenge,
    registered,
  })
}
