import { randomBytes } from 'node:crypto'
import { findOffice } from '#server/db/people/offices.ts'
import { insertSignIn } from '#server/db/sign-ins/sign-ins.ts'
import { type Token, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { beginWebauthnRegistration } from '#server/features/mfa/begin-webauthn-registration.ts'
import { finishWebauthnRegistration } from '#server/features/mfa/finish-webauthn-registration.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import { origin } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts'

/** Opens a session of `user`, as after a sign-in with the password. */
export async function signedIn(system: TestSystem, user: User): Promise<Person> {
  const office = await findOffice(system.db, user.officeId)
  if (!office) throw new Error('the user has no office')
  const { tokenKey } = system.settings
  const at = system.clock.now()
  const start = { user, office, actor: origin, at, tokenKey, secondFactor: null }
  const { person } = await system.db.transaction((trx) => startSession(trx, start))
  return person
}

/** A sign-in of `user` after the password, before the second factor. */
export async function openSignIn(system: TestSystem, user: User): Promise<Token> {
  const token = tokenFrom(randomBytes(32))
  await system.db.transaction((trx) => insertSignIn(trx, user, token, system.clock.now()))
  return token
}

/** Registers the key for the signed-in user. */
export async function registeredKey(
  system: TestSystem,
  person: Person,
  key: SoftwareAuthenticator = softwareAuthenticator(),
): Promise<{ key: SoftwareAuthenticator; credential: WebauthnCredential }> {
  const response = key.register(await beginWebauthnRegistration(system, person))
  const { credential } = await finishWebauthnRegistration(system, person, { response })
  return { key, credential }
}
