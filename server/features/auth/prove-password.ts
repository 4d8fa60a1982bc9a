import { z } from 'zod'
import {
  type Credentials,
  findCredentials,
  lockCredentialsOf,
  replacePasswordHash,
} from '#server/db/people/credentials.ts'
import { isKnownDevice } from '#server/db/sign-ins/known-devices.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { User, UserState } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import { noteVainAttempt } from '#server/steps/sign-ins/note-vain-attempt.ts'
import type { System } from '#server/system.ts'
import {
  type ConsumedAttempt,
  consumeSignInAttempt,
  type SignInAttempt,
} from './consume-sign-in-attempt.ts'
import { TypedPassword } from './typed-password.ts'

export const AccountPassword = z.object({
  email: Email,
  password: TypedPassword,
})
export type AccountPassword = z.infer<typeof AccountPassword>

/** Why a password does not let its user in; the response does not say which. */
export type PasswordRefusal = UserState | 'wrong-password' | 'office-suspended'

/** A right password, as it was when it was checked. */
export type ProvenPassword = {
  user: User
  /**
   * Reads the account again under a lock: it or its password may have changed during hashing. Gives the attempt back if
   * it may be used.
   *
   * @returns the account as it is now, or why it may not be used
   */
  confirm(trx: Transaction): Promise<{ user: User } | { reason: UserState | 'wrong-password' }>
}

type Proving = Pick<System, 'db' | 'clock' | 'memory' | 'passwords'>

/** Replaces the user id of an unknown address, so that the queries take equally long. */
const UNKNOWN_USER = UserId.parse('00000000-0000-4000-8000-000000000000')

/**
 * Checks the password of an account. A refusal takes equally long whether the account exists or not, and is logged.
 *
 * @returns undefined if it is refused
 * @throws {Problem} `too-many-attempts` with how long to wait
 */
export async function provePassword(
  system: Proving,
  actor: Actor,
  { email, password }: AccountPassword,
): Promise<ProvenPassword | undefined> {
  const { db, passwords } = system
  const found = await findCredentials(db, email)
  const user = found?.user
  const isKnown = await isOnKnownDevice(db, actor, user?.id)
  const attempt = () => attemptPassword(system, actor, { email, user, isKnown }, found, password)
  const { spent, isRight } = await (isKnown ? attempt() : passwords.amongStrangers(attempt))
  if (!isRight || !user) {
    await noteRefusedPassword(system, actor, { email, user, reason: 'wrong-password' })
    return undefined
  }
  const rehashed = await hashAnew(system, found, password)
  return {
    user,
    async confirm(trx) {
      const current = await lockCredentialsOf(trx, user.id)
      if (!current || current.passwordHash !== found.passwordHash)
        return { reason: 'wrong-password' }
      if (current.user.state !== 'active') return { reason: current.user.state }
      await releaseAttempt(trx, spent, current, rehashed)
      return { user: current.user }
    },
  }
}

/** Counts the attempt, then checks the password in its turn: that of a known device comes before strangers. */
async function attemptPassword(
  system: Proving,
  actor: Actor,
  attempt: SignInAttempt,
  found: Credentials | undefined,
  password: string,
) {
  const { db, clock, passwords } = system
  const spent = await consumeSignInAttempt(system, actor, attempt, clock.now())
  const checking = passwords.verify(found?.passwordHash ?? undefined, password, {
    isPatient: !attempt.isKnown,
  })
  return { spent, isRight: await refundUnlessMade(db, spent, checking) }
}

/** Whether the user signed in with this browser before. */
async function isOnKnownDevice(db: Reader, { browser }: Actor, userId = UNKNOWN_USER) {
  return browser !== null && (await isKnownDevice(db, userId, browser))
}

/** Hashes again if the stored hash has an older cost. */
async function hashAnew(
  { passwords }: Pick<System, 'passwords'>,
  found: Credentials | undefined,
  password: string,
) {
  const stored = found?.passwordHash
  if (!stored || found.user.state !== 'active' || !passwords.isOutdated(stored)) return undefined
  return await passwords.hash(password)
}

async function releaseAttempt(
  trx: Transaction,
  spent: ConsumedAttempt,
  { user, passwordHash }: Credentials,
  rehashed: string | undefined,
) {
  await releaseBudgets(trx, spent)
  if (rehashed && passwordHash) await replacePasswordHash(trx, user.id, passwordHash, rehashed)
}

/** Logs that a password did not let its user in. The typed address is not logged: people type passwords into the wrong field. */
export async function noteRefusedPassword(
  system: Omit<Proving, 'passwords'>,
  actor: Actor,
  { email, user, reason }: { email: Email; user: User | undefined; reason: PasswordRefusal },
): Promise<void> {
  await noteVainAttempt(
    system,
    {
      actor,
      action: 'session.refused',
      key: throttleKeys.refusedSignIn(email, actor.ip),
      officeId: user?.officeId ?? null,
      userId: user?.id ?? null,
      details: { reason: user ? reason : 'unknown-account' },
    },
    system.clock.now(),
  )
}
