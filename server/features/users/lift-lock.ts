import { appendEvent, appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { endAttemptsOf, listAttemptsOf } from '#server/db/sign-ins/attempts.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type AccountLock, accountLocks } from '#server/domain/identity/attempts/account-lock.ts'
import { throttledAccounts } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findManaged } from './find-managed.ts'

export type LiftLock = { userId: UserId }

type Locked = Pick<User, 'id' | 'email'>

/** The locks of a user's account: too many failed attempts to sign in. */
export async function listLocks(db: Reader, user: Locked, at: Instant): Promise<AccountLock[]> {
  return accountLocks(await listAttemptsOf(db, throttledAccounts.of(user)), at)
}

/**
 * Lifts the locks of a user's account and forgets its failed attempts, so that all limits begin anew. Returns how many
 * locks there were.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`
 */
export async function liftLock(
  system: System,
  actor: Actor,
  { userId }: LiftLock,
): Promise<number> {
  const at = system.clock.now()
  const { user, subject } = await findManaged(system, actor, userId, at)
  return await system.db.transaction(async (trx) => {
    const locks = await lift(trx, user, at)
    if (locks > 0)
      await appendEvent(trx, {
        actor,
        at,
        action: 'session.lock-lifted',
        subject,
        details: { locks },
      })
    return locks
  })
}

/**
 * The same on the server's machine: a sole administrator who is locked out cannot ask another one.
 *
 * @throws {Problem} `not-found` for an address that is of no user
 */
export async function liftLockOnServer(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { email }: { email: Email },
): Promise<{ name: string; locks: number }> {
  const at = clock.now()
  return await db.transaction(async (trx) => {
    const user = (await findCredentials(trx, email))?.user
    if (!user) throw new Problem('not-found', 'no user has this address')
    const locks = await lift(trx, user, at)
    if (locks > 0)
      await appendSystemEvent(trx, {
        by: 'rubrica lift-lock',
        at,
        officeId: user.officeId,
        action: 'session.lock-lifted',
        subject: { kind: 'user', id: user.id },
        result: 'success',
        details: { locks },
      })
    return { name: fullName(user), locks }
  })
}

async function lift(trx: Transaction, user: Locked, at: Instant): Promise<number> {
  const locks = await listLocks(trx, user, at)
  if (locks.length === 0) return 0
  // None are left for the second of two clicks, which waited for the first one.
  if ((await endAttemptsOf(trx, throttledAccounts.of(user))) === 0) return 0
  return locks.reduce((sum, { count }) => sum + count, 0)
}
