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
} from '#server/domain/identity/attempts/throttle.ts'
import {
  networkLimits,
  throttledAccounts,
  throttleKeys,
} from '#server/domain/identity/attempts/throttle-keys.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import type { Budget } from './budgets.ts'
import {
  consumeLimitedAttempt,
  type RefusedAttempt,
  tooManyAttempts,
} from './consume-limited-attempt.ts'
import { type FailedAttempt, noteVainAttempt } from './note-vain-attempt.ts'

type Attempts = Pick<System, 'db' | 'memory'>

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
 * exhaust. A refused attempt writes nothing, except its event once a minute.
 *
 * @throws {Problem} `too-many-attempts`; logged, and the user warned
 */
export async function consumeCodeAttempt(
  system: Attempts,
  actor: Actor,
  user: Owner,
  at: Instant,
): Promise<ConsumedCode> {
  const { browser } = actor
  const isKnown = browser !== null && (await isKnownDevice(system.db, user.id, browser))
  const budgets = isKnown ? [budgetOfDevice(actor, user)] : budgetsOfStranger(actor, user)
  return await spend(system.db, budgets, at, async ({ refusedBy: { limit, key } }) => {
    const failed: FailedAttempt = {
      ...{ actor, key: `throttled:${key}` },
      action: 'session.throttled',
      details: { limit, step: 'second-factor' },
      officeId: user.officeId,
      userId: user.id,
    }
    await noteVainAttempt(system, failed, at, {
      withEvent: (trx) => warnOfFailures(trx, actor, user, at),
    })
  })
}

/** The same for a step-up, whose first refusal is logged. @throws {Problem} `too-many-attempts` */
export async function consumeProofAttempt(
  db: Database,
  person: Person,
  user: Owner,
  at: Instant,
): Promise<ConsumedCode> {
  const key = throttleKeys.proof(person.sessionId)
  const budget: Budget = { limit: 'session', key, policy: PROOFS_OF_SESSION, whenRight: 'forget' }
  return await spend(db, [budget], at, async ({ isFirstRefusal }) => {
    if (isFirstRefusal) await recordRefusal(db, person, user, at)
  })
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
  budgets: readonly Budget[],
  at: Instant,
  record: (refused: RefusedAttempt<Budget>) => Promise<void>,
): Promise<ConsumedCode> {
  const spent = await consumeLimitedAttempt(db, budgets, at, { countsFirstRefusal: true })
  if (spent.allowed) return { budgets, left: spent.left }
  await record(spent)
  throw tooManyAttempts(spent, spent.refusedBy.limit)
}

function budgetOfDevice({ browser }: Actor, { id }: Owner): Budget {
  const key = throttleKeys.codeFromDevice(id, browser)
  const account = throttledAccounts.ofUser(id)
  return { limit: 'device', key, policy: KNOWN_DEVICE, account, whenRight: 'forget' }
}

function budgetsOfStranger({ ip }: Actor, { id }: Owner): Budget[] {
  const account = throttledAccounts.ofUser(id)
  return [
    ...networkLimits(throttleKeys.codeFromNetwork(id), ip, ACCOUNT_FROM_NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'network', account, whenRight: 'forget' }),
    ),
    {
      limit: 'account-anywhere',
      key: throttleKeys.code(id),
      policy: CODES_FROM_ANYWHERE,
      account,
      whenRight: 'refund',
    },
  ]
}

async function recordRefusal(
  db: Database,
  person: Person,
  user: Owner,
  at: Instant,
): Promise<void> {
  await db.transaction(async (trx) => {
    await warnOfFailures(trx, person, user, at)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'session.throttled',
      subject: { kind: 'user', id: user.id },
      result: 'refused',
      details: { limit: 'session', step: 'second-factor' },
    })
  })
}
