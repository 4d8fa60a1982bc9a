import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { isKnownDevice } from '#server/db/sign-ins/known-devices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import {
  ACCOUNT_FROM_NETWORK,
  CODES_FROM_ANYWHERE,
  KNOWN_DEVICE,
  PROOFS_OF_SESSION,
} from '#server/domain/identity/throttle.ts'
import { networkLimits, throttleKeys } from '#server/domain/identity/throttle-keys.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { type Budget, consumeBudgets, tooManyAttempts } from './budgets.ts'

type Owner = Pick<User, 'id' | 'officeId'>

/** The budgets of one counted attempt. */
export type ConsumedCode = {
  readonly budgets: readonly Budget[]
  /** Attempts that the tightest budget still allows. */
  readonly left: number
}

/**
 * Counts an attempt at the second factor across all sign-ins of the user: otherwise each new sign-in would
 * allow five more. A browser that signed in as this user before has its own budget, which strangers cannot
 * exhaust.
 *
 * @throws {Problem} `too-many-attempts`; logged, and the user warned, once
 */
export async function consumeCodeAttempt(
  db: Database,
  actor: Actor,
  user: Owner,
  at: Instant,
): Promise<ConsumedCode> {
  return await spend(db, actor, user, at, async (trx) => {
    const { browser } = actor
    const isKnown = browser !== null && (await isKnownDevice(trx, user.id, browser))
    return isKnown ? [budgetOfDevice(actor, user)] : budgetsOfStranger(actor, user)
  })
}

/** The same for a step-up. @throws {Problem} `too-many-attempts` */
export async function consumeProofAttempt(
  db: Database,
  person: Person,
  user: Owner,
  at: Instant,
): Promise<ConsumedCode> {
  const key = throttleKeys.proof(person.sessionId)
  return await spend(db, person, user, at, async () => [
    { limit: 'session', key, policy: PROOFS_OF_SESSION, whenRight: 'forget' },
  ])
}

/** Warns the user that someone knows the password and fails at the second factor. */
export async function warnOfFailures(
  trx: Transaction,
  actor: Actor,
  user: Owner,
  at: Instant,
): Promise<void> {
  await raiseAlert(trx, {
    officeId: user.officeId,
    userId: user.id,
    kind: 'second-factor-failures',
    severity: 'warning',
    subjectKind: 'user',
    subjectId: user.id,
    facts: { device: actor.device, ip: actor.ip },
    occasion: occasions.secondFactorFailures(user.id, at),
    at,
  })
}

async function spend(
  db: Database,
  actor: Actor,
  user: Owner,
  at: Instant,
  budgetsFor: (trx: Transaction) => Promise<Budget[]>,
): Promise<ConsumedCode> {
  const spent = await db.transaction(async (trx) => {
    const budgets = await budgetsFor(trx)
    const decision = await consumeBudgets(trx, budgets, at)
    if (decision.allowed) return { budgets, left: decision.left }
    if (decision.isFirstRefusal) await recordRefusal(trx, actor, user, decision.limit, at)
    return tooManyAttempts(decision)
  })
  if (spent instanceof Problem) throw spent
  return spent
}

function budgetOfDevice({ browser }: Actor, { id }: Owner): Budget {
  const key = throttleKeys.codeFromDevice(id, browser)
  return { limit: 'device', key, policy: KNOWN_DEVICE, whenRight: 'forget' }
}

function budgetsOfStranger({ ip }: Actor, { id }: Owner): Budget[] {
  return [
    ...networkLimits(throttleKeys.codeFromNetwork(id), ip, ACCOUNT_FROM_NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'network', whenRight: 'forget' }),
    ),
    {
      limit: 'account-anywhere',
      key: throttleKeys.code(id),
      policy: CODES_FROM_ANYWHERE,
      whenRight: 'refund',
    },
  ]
}

async function recordRefusal(
  trx: Transaction,
  actor: Actor,
  user: Owner,
  limit: Budget['limit'],
  at: Instant,
): Promise<void> {
  await warnOfFailures(trx, actor, user, at)
  await appendEvent(trx, {
    actor,
    at,
    officeId: user.officeId,
    action: 'session.throttled',
    subject: { kind: 'user', id: user.id },
    result: 'refused',
    details: { limit, step: 'second-factor' },
  })
}
