import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findCredentialsOf } from '#server/db/people/credentials.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type CheckedFactor,
  type RefusedFactor,
  refusedFactor,
} from '#server/steps/factors/checked-factor.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import {
  type ConsumedCode,
  consumeProofAttempt,
} from '#server/steps/sign-ins/consume-code-attempt.ts'
import { type RefusedProof, refuseProof } from '#server/steps/sign-ins/refuse-proof.ts'
import { renewSession } from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { checkFactor, type ShownFactor } from './check-factor.ts'
import { usedMeanwhile } from './verify-second-factor.ts'

/** A user without a second factor proves themselves by password. */
export type Proof = ShownFactor | { method: 'PASSWORD'; password: string }

export type StepUpOutcome =
  /** The previous tokens are revoked. */
  { kind: 'stepped-up'; tokens: SessionTokens } | RefusedProof

/** The methods by which the caller can step up, strongest first; empty if the only key is suspect. */
export async function listProofs(
  system: System,
  actor: Actor,
): Promise<readonly (SecondFactor | 'PASSWORD')[]> {
  const own = mustBeSignedIn(actor)
  const { db, clock } = system
  const person = await authorizeOrRecord(db, actor, 'identity.prove-own', own, clock.now())
  const { hasSecondFactor, methods } = await listHeldFactors(db, person.userId)
  return hasSecondFactor ? methods : ['PASSWORD']
}

/**
 * Re-authenticates the user; for ten minutes the session may do what requires step-up. Replaces the session's
 * tokens.
 *
 * @throws {Problem} `not-signed-in`, `too-many-attempts` with how long to wait, `secret-unreadable`
 */
export async function stepUp(system: System, actor: Actor, proof: Proof): Promise<StepUpOutcome> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'identity.prove-own', own, clock.now())
  const found = await findCredentialsOf(db, person.userId)
  if (!found) throw new Problem('not-signed-in', `${person.userId} is gone`)
  const { user, passwordHash } = found
  const spent = await consumeProofAttempt(db, person, user, clock.now())

  const checking = check(system, person, user, passwordHash, proof)
  const checked = await refundUnlessMade(db, spent.budgets, checking)
  const attempt: Attempt = { system, person, proof, spent }
  if (!checked.ok) return await refuse(attempt, checked)
  return (await renew(attempt, checked)) ?? (await refuse(attempt, lateProof(proof)))
}

type Attempt = { system: System; person: Person; proof: Proof; spent: ConsumedCode }

async function check(
  system: System,
  person: Person,
  user: User,
  passwordHash: string | null,
  proof: Proof,
): Promise<CheckedFactor> {
  if (proof.method !== 'PASSWORD') {
    const check = { user, bearer: person.sessionId, requireUserVerification: true }
    return await checkFactor(system, person, check, proof)
  }
  const { hasSecondFactor } = await listHeldFactors(system.db, user.id)
  // A user with a second factor must use it: otherwise a stolen password would suffice.
  if (hasSecondFactor) return refusedFactor('factor-needed')
  const isRight = await system.passwords.verify(passwordHash ?? undefined, proof.password)
  if (!isRight) return refusedFactor('wrong-password')
  return {
    ok: true,
    // The password or the factors may have changed while the hash was computed.
    commit: async (trx) =>
      (await findCredentialsOf(trx, user.id))?.passwordHash === passwordHash &&
      !(await listHeldFactors(trx, user.id)).hasSecondFactor,
    record: async () => {},
    facts: () => ({ factor: 'PASSWORD' }),
  }
}

/** Returns undefined if another request has already used the code. */
async function renew(
  { system, person, proof, spent }: Attempt,
  checked: CheckedFactor & { ok: true },
): Promise<StepUpOutcome | undefined> {
  const { db, clock, settings } = system
  const at = clock.now()
  return await db.transaction(async (trx) => {
    if (!(await checked.commit(trx))) return undefined
    await releaseBudgets(trx, spent.budgets)
    const { sessionId } = person
    const { tokenKey } = settings
    const secondFactor = proof.method === 'PASSWORD' ? null : proof.method
    const tokens = await renewSession(trx, { sessionId, at, tokenKey, secondFactor })
    await checked.record(trx)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'session.stepped-up',
      subject: { kind: 'session', id: sessionId },
      details: checked.facts(),
    })
    return { kind: 'stepped-up', tokens }
  })
}

async function refuse(
  { system, person, proof, spent }: Attempt,
  refused: RefusedFactor,
): Promise<RefusedProof> {
  const { db, clock } = system
  return await refuseProof(db, refused, {
    person,
    action: 'session.step-up-refused',
    method: proof.method,
    attemptsLeft: spent.left,
    at: clock.now(),
  })
}

const lateProof = (proof: Proof) =>
  proof.method === 'PASSWORD' ? refusedFactor('wrong-password') : usedMeanwhile(proof)
