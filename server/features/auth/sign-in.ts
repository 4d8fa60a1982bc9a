import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findOffice } from '#server/db/people/offices.ts'
import {
  type Credentials,
  findCredentials,
  findCredentialsOf,
  lockCredentialsOf,
  replacePasswordHash,
} from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Instant } from '#server/domain/time.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import {
  type ConsumedAttempt,
  consumeSignInAttempt,
  UNKNOWN_USER,
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

/**
 * Signs a user in by password: asks for the second factor or starts a session. A refusal takes equally long
 * whether the account exists or not.
 *
 * @throws {Problem} `too-many-attempts` with how long to wait
 */
export async function signIn(system: System, actor: Actor, input: SignIn): Promise<SignInOutcome> {
  const { db, clock, passwords, settings } = system
  const found = await findCredentials(db, input.email)
  const spent = await consumeSignInAttempt(db, actor, input.email, found?.user, clock.now())
  const checking = passwords.verify(found?.passwordHash ?? undefined, input.password)
  const isRight = await refundUnlessMade(db, spent, checking)
  const rehashed = isRight ? await hashAnew(system, found, input.password) : undefined
  const at = clock.now()

  return await db.transaction(async (trx): Promise<SignInOutcome> => {
    // Read again, with a row lock on success: the account or password may have changed during hashing. On a
    // wrong password we take no lock; otherwise an existing account would answer more slowly.
    const read = isRight ? lockCredentialsOf : findCredentialsOf
    const current = await read(trx, found?.user.id ?? UNKNOWN_USER)
    const isStill = isRight && current?.passwordHash === found?.passwordHash
    const office = isStill && current ? await findOffice(trx, current.user.officeId) : undefined
    if (!isStill || !current || !office || current.user.state !== 'active') {
      await appendRefusal(trx, actor, current, isStill, at)
      return { kind: 'refused' }
    }
    await releaseAttempt(trx, spent, current, rehashed)
    const { user } = current
    const { tokenKey } = settings
    return await completeFirstFactor(trx, { user, office, actor, at, tokenKey, by: 'password' })
  })
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

async function appendRefusal(
  trx: Transaction,
  actor: Actor,
  found: Credentials | undefined,
  isRight: boolean,
  at: Instant,
) {
  const user = found?.user
  const reason = isRight ? (user?.state ?? 'unknown') : 'wrong-password'
  await appendEvent(trx, {
    actor,
    at,
    officeId: user?.officeId ?? null,
    action: 'session.refused',
    subject: user ? { kind: 'user', id: user.id } : { kind: 'nothing' },
    result: 'refused',
    // The typed address is not logged: people type passwords into the wrong field.
    details: { reason: user ? reason : 'unknown-account' },
  })
}
