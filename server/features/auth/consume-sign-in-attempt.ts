import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Email } from '#server/domain/identity/email.ts'
import {
  ACCOUNT_FROM_ANYWHERE,
  ACCOUNT_FROM_NETWORK,
  KNOWN_DEVICE,
  NETWORK,
} from '#server/domain/identity/throttle.ts'
import { networkLimits, throttleKeys } from '#server/domain/identity/throttle-keys.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { type Budget, consumeBudgets, tooManyAttempts } from '#server/steps/sign-ins/budgets.ts'

/** The budgets that one attempt was counted against. */
export type ConsumedAttempt = readonly Budget[]

export type SignInAttempt = {
  email: Email
  /** Undefined for an unknown address, which gets the same answers. */
  user: User | undefined
  /** Whether the browser signed in as this user before. */
  isKnown: boolean
}

/**
 * Counts an attempt before the password is checked, so that concurrent attempts are all counted. A browser that
 * signed in as this user before has its own budget, which strangers cannot exhaust.
 *
 * @throws {Problem} `too-many-attempts`; logged once, or a flood would drown the log
 */
export async function consumeSignInAttempt(
  db: Database,
  actor: Actor,
  { email, user, isKnown }: SignInAttempt,
  at: Instant,
): Promise<ConsumedAttempt> {
  const answer = await db.transaction(async (trx) => {
    const budgets = isKnown ? budgetOfDevice(actor, email) : budgetsOfStranger(actor, email)
    const spent = await consumeBudgets(trx, budgets, at)
    if (spent.allowed) return budgets
    if (spent.isFirstRefusal) await recordRefusal(trx, actor, user, spent.limit, at)
    return tooManyAttempts(spent)
  })
  if (answer instanceof Problem) throw answer
  return answer
}

function budgetOfDevice({ browser }: Actor, email: Email): Budget[] {
  const key = throttleKeys.signInFromDevice(email, browser)
  return [{ limit: 'device', key, policy: KNOWN_DEVICE, whenRight: 'forget' }]
}

/*
 * In this order, so that attempts refused for one account are not charged to the network or to other budgets of
 * the account.
 */
function budgetsOfStranger({ ip }: Actor, email: Email): Budget[] {
  return [
    ...networkLimits(throttleKeys.signInFromNetwork(email), ip, ACCOUNT_FROM_NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'account', whenRight: 'forget' }),
    ),
    ...networkLimits(throttleKeys.network, ip, NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'network', whenRight: 'refund' }),
    ),
    {
      limit: 'account-anywhere',
      key: throttleKeys.signIn(email),
      policy: ACCOUNT_FROM_ANYWHERE,
      whenRight: 'refund',
    },
  ]
}

async function recordRefusal(
  trx: Transaction,
  actor: Actor,
  user: User | undefined,
  limit: Budget['limit'],
  at: Instant,
): Promise<void> {
  if (user)
    await raiseAlert(trx, {
      officeId: user.officeId,
      userId: user.id,
      kind: 'repeated-failures',
      severity: 'warning',
      subjectKind: 'user',
      subjectId: user.id,
      facts: { device: actor.device, ip: actor.ip },
      occasion: occasions.repeatedFailures(user.id, at),
      at,
    })
  await appendEvent(trx, {
    actor,
    at,
    officeId: user?.officeId ?? null,
    action: 'session.throttled',
    subject: user ? { kind: 'user', id: user.id } : { kind: 'nothing' },
    result: 'refused',
    details: { limit },
  })
}
