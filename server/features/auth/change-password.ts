import { z } from 'zod'
import { appendEvent, appendEvents, type NewEvent } from '#server/db/audit/audit-events.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { endActivationsOf } from '#server/db/people/activations.ts'
import { findCredentialsOf, replacePassword } from '#server/db/people/credentials.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { refundAttempt } from '#server/db/sign-ins/attempts.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { PROOFS_OF_SESSION } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { normalizedPassword } from '#server/domain/identity/password.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { renewSession } from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { endLinkedSessions } from './linked-account-events.ts'
import { mustBeStrong, weak, wordsOf } from './require-strong-password.ts'
import { TypedPassword } from './typed-password.ts'

export const ChangePassword = z.object({ current: TypedPassword, password: TypedPassword })
export type ChangePassword = z.infer<typeof ChangePassword>

export type ChangedPassword = {
  /** New tokens of the current session; the older ones are revoked. */
  tokens: SessionTokens
  /** Number of other sessions that were ended, with those of linked accounts. */
  ended: number
}

/**
 * Changes the password and ends everything else that the old one opened: other sessions, those of linked accounts
 * too, pending sign-ins, activation links. The change counts as fresh authentication only for a user without a second factor.
 *
 * @throws {Problem} `not-signed-in`; `wrong-password` when the current one is wrong, `weak-password` (its kind
 *   says why), `too-many-attempts`
 */
export async function changePassword(
  system: System,
  actor: Actor,
  { current, password }: ChangePassword,
): Promise<ChangedPassword> {
  const { db, clock, passwords, settings } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'password.change-own', own, clock.now())
  await consumeProofAttempt(system, person, clock.now())

  const found = await findCredentialsOf(db, person.userId)
  const hash = found?.passwordHash ?? undefined
  if (!(await isRight(system, person, hash, current)) || !found || !hash)
    throw await refuse(system, person, 'wrong-password')
  if (normalizedPassword(current) === normalizedPassword(password)) throw weak('same-as-before')
  const office = await findOffice(db, person.officeId)
  await mustBeStrong(system, password, wordsOf(office, found.user))
  const next = await passwords.hash(password)

  const at = clock.now()
  return await db.transaction(async (trx) => {
    if (!(await replacePassword(trx, person.userId, hash, next, at)))
      throw new Problem('wrong-password', `the password of ${person.userId} changed meanwhile`)
    const ended = await endWhatItOpened(trx, person, at)
    const elsewhere = await endLinkedSessions(trx, person.userId, person, at)
    const tokens = await renew(trx, person, settings.tokenKey, at)
    await warn(trx, person, at)
    await appendEvents(trx, [changed(person, ended, at), ...elsewhere.events])
    return { tokens, ended: ended + elsewhere.sessions }
  })
}

async function consumeProofAttempt({ db }: System, person: Person, at: Instant): Promise<void> {
  const limit = { key: throttleKeys.proof(person.sessionId), policy: PROOFS_OF_SESSION }
  const spent = await consumeLimitedAttempt(db, [limit], at, { countsFirstRefusal: true })
  if (spent.allowed) return
  if (spent.isFirstRefusal) await recordPasswordRefusal(db, person, 'too-many-attempts', at)
  throw tooManyAttempts(spent, spent.refusedBy.key)
}

/*
 * A right password gets its attempt back; so does an attempt that was rejected because too many were waiting.
 * Only this attempt is returned, or codes could be guessed without a limit in between.
 */
async function isRight(
  { db, passwords }: System,
  person: Person,
  hash: string | undefined,
  current: string,
): Promise<boolean> {
  let isWrong = false
  try {
    isWrong = !(await passwords.verify(hash, current))
    return !isWrong
  } finally {
    if (!isWrong)
      await db.transaction((trx) => refundAttempt(trx, throttleKeys.proof(person.sessionId)))
  }
}

async function refuse({ db, clock }: System, person: Person, code: 'wrong-password') {
  await recordPasswordRefusal(db, person, code, clock.now())
  return new Problem(code, `the current password of ${person.userId} is another one`)
}

async function recordPasswordRefusal(
  db: System['db'],
  person: Person,
  reason: string,
  at: Instant,
) {
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: person,
      at,
      action: 'password.refused',
      subject: { kind: 'user', id: person.userId },
      result: 'refused',
      details: { reason },
    }),
  )
}

async function endWhatItOpened(trx: Transaction, { userId, sessionId }: Person, at: Instant) {
  await endSignInsOf(trx, userId, at)
  await endActivationsOf(trx, userId, at)
  const end = { at, by: userId, reason: 'password-changed', except: sessionId } as const
  return await endSessionsOf(trx, userId, end)
}

/* With a second factor, the password alone is no fresh authentication: step-up is still required. */
async function renew(trx: Transaction, person: Person, tokenKey: Uint8Array, at: Instant) {
  const { userId, sessionId } = person
  const { hasSecondFactor } = await listHeldFactors(trx, userId)
  const provenAt = hasSecondFactor ? person.provenAt : at
  return await renewSession(trx, { sessionId, at, tokenKey, secondFactor: null, provenAt })
}

async function warn(trx: Transaction, person: Person, at: Instant) {
  const { userId, officeId, device, ip } = person
  await raiseAlert(trx, {
    officeId,
    userId,
    kind: 'password-changed',
    severity: 'information',
    subjectKind: 'user',
    subjectId: userId,
    facts: { device, ip },
    occasion: occasions.passwordChanged(userId, at),
    at,
  })
}

const changed = (person: Person, ended: number, at: Instant) =>
  ({
    actor: person,
    at,
    officeId: person.officeId,
    action: 'password.changed',
    subject: { kind: 'user', id: person.userId },
    details: { ended },
  }) satisfies NewEvent
