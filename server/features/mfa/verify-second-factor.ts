import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import {
  consumeSignIn,
  endSignIn,
  findOpenSignIn,
  refundSignIn,
} from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import { Token } from '#server/domain/crypto/token.ts'
import type { Actor, Duty } from '#server/domain/identity/actor.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { PendingSignIn } from '#server/domain/identity/pending-sign-in.ts'
import type { Session } from '#server/domain/identity/session.ts'
import type { TotpHint } from '#server/domain/identity/totp.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  type CheckedFactor,
  type RefusedFactor,
  refusedFactor,
} from '#server/steps/factors/checked-factor.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import {
  type ConsumedCode,
  consumeCodeAttempt,
  warnOfFailures,
} from '#server/steps/sign-ins/consume-code-attempt.ts'
import { noteVainAttempt } from '#server/steps/sign-ins/note-vain-attempt.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { checkFactor, type ShownFactor } from './check-factor.ts'

export type SecondFactorOutcome =
  | {
      kind: 'signed-in'
      tokens: SessionTokens
      session: Session
      user: User
      /** What the user must do before anything else. */
      duty: Duty | null
    }
  | {
      kind: 'refused'
      /** At least one; after the last attempt the outcome is `gone`. */
      attemptsLeft: number
      hint?: TotpHint
      /** Shown so that the user can compare it with the clock of their phone. */
      serverTime: Instant
    }
  /** Unknown, used, expired or out of attempts: the user must enter the password again. */
  | { kind: 'gone' }

/**
 * Completes a sign-in with its second factor and starts a session. A code is accepted once, even for concurrent
 * requests.
 *
 * @param token of the pending sign-in, as the browser sent it
 * @throws {Problem} `too-many-attempts` with how long to wait; `secret-unreadable`
 */
export async function verifySecondFactor(
  system: System,
  actor: Actor,
  token: string | undefined,
  shown: ShownFactor,
): Promise<SecondFactorOutcome> {
  const { db, clock } = system
  const pending = await findPending(system, token)
  if (!pending) return { kind: 'gone' }
  const { signIn, user } = pending
  const spent = await consumeCodeAttempt(system, actor, user, clock.now())
  const left = await db.transaction((trx) => consumeSignIn(trx, signIn.id, clock.now()))
  if (left === undefined) return { kind: 'gone' }

  const check = { user, bearer: signIn.id, requireUserVerification: false }
  const checking = checkFactor(system, actor, check, shown)
  const checked = await refundUnlessMade(db, spent.budgets, checking, (trx) =>
    refundSignIn(trx, signIn.id),
  )
  const attempt: Attempt = { system, actor, signIn, user, shown, spent, left }
  if (!checked.ok) return await refuse(attempt, checked)
  return (await open(attempt, checked)) ?? (await refuse(attempt, usedMeanwhile(shown)))
}

type Attempt = {
  system: System
  actor: Actor
  signIn: PendingSignIn
  user: User
  shown: ShownFactor
  spent: ConsumedCode
  /** Attempts left for this sign-in. */
  left: number
}

async function findPending({ db, clock }: System, token: string | undefined) {
  const read = Token.safeParse(token)
  const signIn = read.success ? await findOpenSignIn(db, read.data, clock.now()) : undefined
  if (!signIn) return undefined
  const user = await findUser(db, signIn.userId)
  return user?.state === 'active' ? { signIn, user } : undefined
}

/** Returns undefined if another request has already used the code. */
async function open(
  attempt: Attempt,
  checked: CheckedFactor & { ok: true },
): Promise<SecondFactorOutcome | undefined> {
  const { system, actor, signIn, shown, spent } = attempt
  const { db, clock, settings } = system
  const at = clock.now()
  return await db.transaction(async (trx) => {
    if (!(await checked.commit(trx))) return undefined
    // Read again inside the transaction: the user may have been suspended, or have signed in elsewhere.
    const user = await findUser(trx, signIn.userId)
    const office = await findOffice(trx, signIn.officeId)
    const isOpen = await endSignIn(trx, signIn.id, 'used', at)
    if (user?.state !== 'active' || !office || !isOpen) {
      await checked.record(trx)
      await appendRefusal(trx, attempt, 'sign-in-over', at)
      return { kind: 'gone' }
    }
    await releaseBudgets(trx, spent.budgets)
    const { tokenKey } = settings
    const secondFactor = shown.method
    const start = { user, office, actor, at, tokenKey, secondFactor }
    const { session, tokens, person } = await startSession(trx, start)
    await checked.record(trx)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'session.started',
      subject: { kind: 'session', id: session.id },
      details: { method: 'second-factor', ...checked.facts() },
    })
    return { kind: 'signed-in', tokens, session, user, duty: person.duty }
  })
}

async function refuse(attempt: Attempt, refused: RefusedFactor): Promise<SecondFactorOutcome> {
  const { system, actor, user, shown, left } = attempt
  const at = system.clock.now()
  const { method: factor } = shown
  const { reason } = refused
  const key = throttleKeys.refusedCode(user.id, actor.ip)
  await noteVainAttempt(
    system,
    {
      actor,
      key: `${key}:${factor}:${reason}`,
      action: 'session.second-factor-refused',
      details: { factor, reason },
      ownDetails: { attemptsLeft: left },
      officeId: user.officeId,
      userId: user.id,
    },
    at,
    { always: (trx) => writeRefusal(trx, attempt, refused, at) },
  )
  if (left === 0) return { kind: 'gone' }
  const { hint } = refused
  return { kind: 'refused', attemptsLeft: left, serverTime: at, ...(hint && { hint }) }
}

async function writeRefusal(
  trx: Transaction,
  { actor, signIn, user, left }: Attempt,
  refused: RefusedFactor,
  at: Instant,
) {
  await refused.commit(trx)
  if (left === 0) {
    await endSignIn(trx, signIn.id, 'spent', at)
    await warnOfFailures(trx, actor, user, at)
  }
  await refused.record(trx)
}

async function appendRefusal(
  trx: Transaction,
  { actor, user, shown, left }: Attempt,
  reason: string,
  at: Instant,
) {
  await appendEvent(trx, {
    actor,
    at,
    officeId: user.officeId,
    action: 'session.second-factor-refused',
    subject: { kind: 'user', id: user.id },
    result: 'refused',
    details: { factor: shown.method, reason, attemptsLeft: left },
  })
}

/** A concurrent request used the code: report it as used. */
export function usedMeanwhile({ method }: ShownFactor): RefusedFactor {
  return refusedFactor('used-code', method === 'TOTP' ? 'replayed' : null)
}
