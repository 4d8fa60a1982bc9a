import { z } from 'zod'
import { isSuspended } from '#server/db/people/office-states.ts'
import { findOffice } from '#server/db/people/offices.ts'
import {
  type Credentials,
  findCredentials,
  lockCredentialsOf,
  replacePasswordHash,
} from '#server/db/people/users.ts'
import { isKnownDevice } from '#server/db/sign-ins/known-devices.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { User, UserState } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import { noteVainAttempt } from '#server/steps/sign-ins/note-vain-attempt.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import {
  type ConsumedAttempt,
  consumeSignInAttempt,
  type SignInAttempt,
} from './consume-sign-in-attempt.ts'
import { TypedPassword } from './typed-password.ts'

export const SignIn = z.object({
  email: Email,
  password: TypedPassword,
})
export type SignIn = z.infer<typeof SignIn>

export type SignInOutcome =
  /** Unknown address, wrong password, suspended or not activated: the response does not say which. */
  { kind: 'refused' } | FirstFactorOutcome

/** Replaces the user id of an unknown address, so that the queries take equally long. */
const UNKNOWN_USER = UserId.parse('00000000-0000-4000-8000-000000000000')

/**
 * Signs a user in by password: asks for the second factor or starts a session. A refusal takes equally long
 * whether the account exists or not.
 *
 * @throws {Problem} `too-many-attempts` with how long to wait; `office-suspended`
 */
export async function signIn(system: System, actor: Actor, input: SignIn): Promise<SignInOutcome> {
  const { db, clock, passwords, settings } = system
  const { email, password } = input
  const found = await findCredentials(db, email)
  const user = found?.user
  const isKnown = await isOnKnownDevice(db, actor, user?.id)
  const attempt = () => attemptPassword(system, actor, { email, user, isKnown }, found, password)
  const { spent, isRight } = await (isKnown ? attempt() : passwords.amongStrangers(attempt))
  if (!isRight || !user) return await refuse(system, actor, email, user, 'wrong-password')
  const rehashed = await hashAnew(system, found, password)
  const at = clock.now()

  const outcome = await db.transaction(async (trx): Promise<FirstFactorOutcome | Unusable> => {
    // Read again, with a row lock: the account or password may have changed during hashing.
    const current = await lockCredentialsOf(trx, user.id)
    if (!current || current.passwordHash !== found.passwordHash)
      return { kind: 'unusable', reason: 'wrong-password' }
    const office = await findOffice(trx, current.user.officeId)
    if (!office || current.user.state !== 'active')
      return { kind: 'unusable', reason: current.user.state }
    if (await isSuspended(trx, office.id)) return { kind: 'unusable', reason: 'office-suspended' }
    await releaseAttempt(trx, spent, current, rehashed)
    const { tokenKey } = settings
    const firstFactor = { user: current.user, office, actor, at, tokenKey, by: 'password' } as const
    return await completeFirstFactor(trx, firstFactor)
  })
  if (outcome.kind !== 'unusable') return outcome
  const refused = await refuse(system, actor, email, user, outcome.reason)
  // The password was right: its owner may know why they cannot come in.
  if (outcome.reason === 'office-suspended') await mustOperate(db, user.officeId)
  return refused
}

/** The account may not sign in, although the password was right. */
type Unusable = { kind: 'unusable'; reason: UserState | 'wrong-password' | 'office-suspended' }

/** Counts the attempt, then checks the password in its turn: that of a known device comes before strangers. */
async function attemptPassword(
  system: System,
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
async function hashAnew({ passwords }: System, found: Credentials | undefined, password: string) {
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

async function refuse(
  system: System,
  actor: Actor,
  email: Email,
  user: User | undefined,
  reason: Unusable['reason'],
): Promise<SignInOutcome> {
  const at = system.clock.now()
  await noteVainAttempt(
    system,
    {
      actor,
      action: 'session.refused',
      key: throttleKeys.refusedSignIn(email, actor.ip),
      officeId: user?.officeId ?? null,
      userId: user?.id ?? null,
      // The typed address is not logged: people type passwords into the wrong field.
      details: { reason: user ? reason : 'unknown-account' },
    },
    at,
  )
  return { kind: 'refused' }
}
