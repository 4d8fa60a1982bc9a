import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SessionId } from '#server/domain/ids.ts'
import { createAccessToken } from '#server/features/auth/create-access-token.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import {
  renewSession,
  type StartedSession,
  startSession,
} from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { origin, storedOffice, storedUser } from '#tests/support/builders.ts'

export type Account = { office: Office; user: User }

/** An active user in a new office. */
export async function anAccount(
  system: System,
  office: Parameters<typeof storedOffice>[1] = {},
  user: Parameters<typeof storedUser>[3] = {},
): Promise<Account> {
  const stored = await storedOffice(system.db, office)
  return { office: stored, user: await storedUser(system.db, stored, ['NOTARY', 'ADMIN'], user) }
}

/** A session of the account, as if the password had just been right. */
export async function newSession(
  system: System,
  { user, office }: Account,
  from: Partial<Origin> = {},
  secondFactor: SecondFactor | null = null,
): Promise<StartedSession> {
  const at = system.clock.now()
  const actor = { ...origin, ...from }
  const { tokenKey } = system.settings
  return await system.db.transaction(async (trx) => {
    const started = await startSession(trx, { user, office, actor, at, tokenKey, secondFactor })
    const subject = { kind: 'session', id: started.session.id } as const
    await appendEvent(trx, { actor: started.person, at, action: 'session.started', subject })
    return started
  })
}

/** The text of an access token that the user made in a session of their own. */
export async function newAccessToken(system: System, account: Account): Promise<string> {
  const { person } = await newSession(system, account)
  return (await createAccessToken(system, person, { name: 'Agente', days: 30 })).text
}

/** Renews the session, as a correct password or second factor does. */
export async function renewSessionOf(
  system: System,
  sessionId: SessionId,
  secondFactor: SecondFactor | null = null,
): Promise<SessionTokens> {
  const { tokenKey } = system.settings
  const at = system.clock.now()
  return await system.db.transaction((trx) =>
    renewSession(trx, { sessionId, at, tokenKey, secondFactor }),
  )
}

/** The user of the access token. @throws {Error} if it opens no session */
export async function personWith(system: System, access: string): Promise<Person> {
  const person = await resumeSession(system, origin, access)
  if (!person) throw new Error('the session is over')
  return person
}
