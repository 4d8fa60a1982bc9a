import { type BackupCodeStock, countBackupCodes } from '#server/db/factors/backup-codes.ts'
import { findOpenFactorRemoval } from '#server/db/factors/factor-removals.ts'
import { findTotpFactor } from '#server/db/factors/totp-factors.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import { findLastActivation } from '#server/db/people/activations.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { listUsers } from '#server/db/people/users.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import type { Activation } from '#server/domain/identity/activation.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { AccountLock } from '#server/domain/identity/attempts/account-lock.ts'
import type { FactorRemoval } from '#server/domain/identity/factor-removal.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { isLive, type Session } from '#server/domain/identity/session.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import type { UserId } from '#server/domain/ids.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findManaged } from './find-managed.ts'
import { listLocks } from './lift-lock.ts'

export type ReadUser = { userId: UserId }

/** How a user signs in. Contains no secrets. */
export type UserAccess = {
  /** The live sessions, newest first. */
  sessions: Session[]
  totp: { since: Instant } | null
  keys: Pick<WebauthnCredential, 'id' | 'name' | 'aaguid' | 'createdAt' | 'lastUsedAt' | 'state'>[]
  backupCodes: BackupCodeStock | null
  /** The newest link, used or not. */
  activation: Activation | null
  /** Locks after failed attempts. */
  locks: AccountLock[]
  /** A removal of second factors that awaits approval. */
  removal: FactorRemoval | null
}

export type UserPage = {
  user: User
  timeZone: string
  /** Null for callers who may not see how others sign in. */
  access: UserAccess | null
  /** The names of the office's users, to show who did what. */
  names: ReadonlyMap<UserId, string>
  isOneself: boolean
}

/**
 * A user of the office; the caller's roles decide how much is shown.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for another office
 */
export async function readUser(
  system: System,
  actor: Actor,
  { userId }: ReadUser,
): Promise<UserPage> {
  const { db, clock } = system
  const now = clock.now()
  const { person, user } = await findManaged(system, actor, userId, now, 'users.read')
  const office = await findOffice(db, user.officeId)
  if (!office) throw new Problem('not-found', `no office ${user.officeId}`)
  const colleagues = await listUsers(db, office.id)
  return {
    user,
    timeZone: office.timeZone,
    access: mayReadAccess(person) ? await readAccess(system, user, office.sessionIdle, now) : null,
    names: new Map(colleagues.map((colleague) => [colleague.id, fullName(colleague)])),
    isOneself: person.userId === user.id,
  }
}

const mayReadAccess = ({ roles }: Person) => isAllowed(roles, 'users.read-access')

async function readAccess(
  { db }: System,
  user: User,
  idle: Parameters<typeof isLive>[1],
  now: Instant,
): Promise<UserAccess> {
  const { id } = user
  const totp = await findTotpFactor(db, id, 'active')
  const keys = await listWebauthnCredentials(db, id)
  return {
    sessions: (await listSessions(db, id, now)).filter((session) => isLive(session, idle, now)),
    totp: totp ? { since: totp.stateSince } : null,
    keys: keys.map(({ id, name, aaguid, createdAt, lastUsedAt, state }) => ({
      ...{ id, name, aaguid, createdAt, lastUsedAt, state },
    })),
    backupCodes: (await countBackupCodes(db, id)) ?? null,
    activation: (await findLastActivation(db, id)) ?? null,
    locks: await listLocks(db, user, now),
    removal: (await findOpenFactorRemoval(db, id, now)) ?? null,
  }
}
