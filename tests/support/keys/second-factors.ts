import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import { beginTotp } from '#server/features/mfa/begin-totp.ts'
import { verifyTotpSetup } from '#server/features/mfa/verify-totp-setup.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { codeAt } from './authenticator-app.ts'
import { signedIn } from './security-keys.ts'

export type SignedInUser = {
  office: Office
  user: User
  /** How they ask, with a session of their own. */
  person: Person
}

/** A user who has just signed in with a password. */
export async function aSignedInUser(
  system: TestSystem,
  changes: Partial<Record<keyof Office, unknown>> = {},
  password?: string,
): Promise<SignedInUser> {
  return await colleague(system, await storedOffice(system.db, changes), password)
}

/** The same in an office that is there. */
export async function colleague(
  system: TestSystem,
  office: Office,
  password?: string,
): Promise<SignedInUser> {
  const hash = password === undefined ? null : await system.passwords.hash(password)
  const user = await storedUser(system.db, office, ['NOTARY'], {}, hash)
  return { office, user, person: await signedIn(system, user) }
}

/** Sets up an authenticator app, and waits until its next code. */
export async function withApp(system: TestSystem, person: Person) {
  const { secret } = await beginTotp(system, person)
  const code = codeAt(secret, system.clock.now())
  const outcome = await verifyTotpSetup(system, person, { code })
  if (outcome.kind !== 'enabled') throw new Error(`the app was not set up: ${outcome.kind}`)
  system.wait(seconds(30))
  return { secret, backupCodes: outcome.backupCodes ?? [] }
}

/** Like `system`, with a full hashing queue: every password check is refused. */
export function busySystem(system: TestSystem): TestSystem {
  const sendAway = () => Promise.reject(new Problem('too-many-attempts', 'too many wait'))
  return { ...system, passwords: { ...system.passwords, derive: sendAway, verify: sendAway } }
}

/** The current code of the app. */
export const shown = (system: TestSystem, secret: string) => codeAt(secret, system.clock.now())

/** The log from `seq` on, a line an event: `totp.enabled success {"replaced":0}`. */
export async function recorded(system: TestSystem, from = 0): Promise<string[]> {
  const events = await system.log()
  return events
    .filter(({ seq }) => seq >= from)
    .map(({ action, result, details }) => `${action} ${result} ${JSON.stringify(details)}`)
}

/** The alerts that were raised, oldest first: `backup-codes-low information`. */
export async function alerts(system: TestSystem): Promise<string[]> {
  const rows = await system.db
    .selectFrom('alerts')
    .select(['kind', 'severity', 'user_id'])
    .orderBy('at')
    .orderBy('occasion')
    .execute()
  return rows.map(
    ({ kind, severity, user_id }) => `${kind} ${severity}${user_id ? '' : ' (administrators)'}`,
  )
}
