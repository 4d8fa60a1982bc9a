import type { Actor } from '#server/domain/identity/actor.ts'
import {
  ACCOUNT_FROM_ANYWHERE,
  ACCOUNT_FROM_NETWORK,
  KNOWN_DEVICE,
  NETWORK,
} from '#server/domain/identity/attempts/throttle.ts'
import {
  networkLimits,
  throttledAccounts,
  throttleKeys,
} from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Email } from '#server/domain/identity/email.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Budget } from '#server/steps/sign-ins/budgets.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { type FailedAttempt, noteVainAttempt } from '#server/steps/sign-ins/note-vain-attempt.ts'
import type { System } from '#server/system.ts'

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
 * signed in as this user before has its own budget, which strangers cannot exhaust. A refused attempt writes nothing,
 * except its event once a minute.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function consumeSignInAttempt(
  system: Pick<System, 'db' | 'memory'>,
  actor: Actor,
  { email, user, isKnown }: SignInAttempt,
  at: Instant,
): Promise<ConsumedAttempt> {
  const { db } = system
  const budgets = isKnown ? budgetOfDevice(actor, email) : budgetsOfStranger(actor, email)
  const spent = await consumeLimitedAttempt(db, budgets, at)
  if (spent.allowed) return budgets
  const { limit, key } = spent.refusedBy
  const failed: FailedAttempt = {
    ...{ actor, key: `throttled:${key}` },
    action: 'session.throttled',
    details: { limit },
    officeId: user?.officeId ?? null,
    userId: user?.id ?? null,
    isWarning: true,
  }
  await noteVainAttempt(system, failed, at)
  throw tooManyAttempts(spent, limit)
}

function budgetOfDevice({ browser }: Actor, email: Email): Budget[] {
  const key = throttleKeys.signInFromDevice(email, browser)
  const account = throttledAccounts.ofAddress(email)
  return [{ limit: 'device', key, policy: KNOWN_DEVICE, account, whenRight: 'forget' }]
}

/*
 * In this order, so that attempts refused for one account are not charged to the network or to other budgets of
 * the account.
 */
function budgetsOfStranger({ ip }: Actor, email: Email): Budget[] {
  const account = throttledAccounts.ofAddress(email)
  return [
    ...networkLimits(throttleKeys.signInFromNetwork(email), ip, ACCOUNT_FROM_NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'account', account, whenRight: 'forget' }),
    ),
    ...networkLimits(throttleKeys.network, ip, NETWORK).map(
      (limit): Budget => ({ ...limit, limit: 'network', whenRight: 'refund' }),
    ),
    {
      limit: 'account-anywhere',
      key: throttleKeys.signIn(email),
      policy: ACCOUNT_FROM_ANYWHERE,
      account,
      whenRight: 'refund',
    },
  ]
}
