import { after, before, type Instant, latest } from '#server/domain/time.ts'
import {
  ACCOUNT_FROM_ANYWHERE,
  ACCOUNT_FROM_NETWORK,
  type AttemptCount,
  type AttemptPolicy,
  CODES_FROM_ANYWHERE,
  decideAttempt,
  KNOWN_DEVICE,
} from './throttle.ts'

/** Limits that refuse attempts at one account now: those of one step and one kind of origin. */
export type AccountLock = {
  readonly step: 'password' | 'second-factor'
  /** `device`: a known device; `network` and `anywhere`: devices new to the account. */
  readonly from: 'device' | 'network' | 'anywhere'
  /** How many devices or networks. */
  readonly count: number
  /** When the last of them ends. */
  readonly until: Instant
}

type Kind = Pick<AccountLock, 'step' | 'from'> & { policy: AttemptPolicy }

/*
 * By the beginning of their keys. A larger network may make more attempts, but a policy with delays does not need their
 * number: the count says until when it blocks.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  device: { step: 'password', from: 'device', policy: KNOWN_DEVICE },
  account: { step: 'password', from: 'network', policy: ACCOUNT_FROM_NETWORK },
  'account-anywhere': { step: 'password', from: 'anywhere', policy: ACCOUNT_FROM_ANYWHERE },
  'code-device': { step: 'second-factor', from: 'device', policy: KNOWN_DEVICE },
  'code-network': { step: 'second-factor', from: 'network', policy: ACCOUNT_FROM_NETWORK },
  'code-anywhere': { step: 'second-factor', from: 'anywhere', policy: CODES_FROM_ANYWHERE },
}

/** A count that locks by its number; other counts say until when they block. */
export type LockingCount = {
  /** The beginning of its key. */
  readonly keysOf: string
  readonly attempts: number
  /** Its window began later. */
  readonly after: Instant
}

/** The counts that lock an account at `at`, besides those that block until a later time. */
export const lockingCounts = (at: Instant): LockingCount[] =>
  Object.entries(KINDS).flatMap(([name, { policy }]) =>
    policy.delay
      ? []
      : [{ keysOf: `${name}:`, attempts: policy.free, after: before(at, policy.window) }],
  )

/** The locks of an account, from the counts of its attempts; those of passwords first. */
export function accountLocks(
  counts: readonly { key: string; count: AttemptCount }[],
  at: Instant,
): AccountLock[] {
  const locks = new Map<Kind, AccountLock>()
  for (const { key, count } of counts) {
    const kind = KINDS[key.slice(0, key.indexOf(':'))]
    const decision = kind && decideAttempt(count, kind.policy, at).decision
    if (!kind || !decision || decision.allowed) continue
    const until = after(at, decision.retryAfter)
    const known = locks.get(kind)
    locks.set(kind, {
      step: kind.step,
      from: kind.from,
      count: (known?.count ?? 0) + 1,
      until: latest(until, ...(known ? [known.until] : [])),
    })
  }
  return Object.values(KINDS).flatMap((kind) => locks.get(kind) ?? [])
}
