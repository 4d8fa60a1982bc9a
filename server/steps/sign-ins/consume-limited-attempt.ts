import type { Database } from '#server/db/database.ts'
import { findAttempts } from '#server/db/sign-ins/attempts.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { decideAttempt } from '#server/domain/identity/attempts/throttle.ts'
import type { AttemptLimit } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import { consumeAttempt } from './consume-attempt.ts'

export type LimitedAttempt<Limit extends AttemptLimit> =
  /** `left`: attempts that the tightest limit still allows. */
  { allowed: true; left: number } | RefusedAttempt<Limit>

export type RefusedAttempt<Limit extends AttemptLimit = AttemptLimit> = {
  allowed: false
  refusedBy: Limit
  retryAfter: Duration
  /** Whether no attempt was refused since the last allowed one. */
  isFirstRefusal: boolean
}

/**
 * Counts an attempt against each limit in order, up to the first that refuses; the limits after it are not charged.
 * Looks before it counts: most attempts of an attack are refused, and a refusal that writes nothing holds up no other
 * request.
 *
 * @param options.countsFirstRefusal for those who log the first refusal: of several at once, only the count tells which
 *   one it is
 */
export async function consumeLimitedAttempt<Limit extends AttemptLimit>(
  db: Database,
  limits: readonly Limit[],
  at: Instant,
  { countsFirstRefusal = false }: { countsFirstRefusal?: boolean } = {},
): Promise<LimitedAttempt<Limit>> {
  const refused = await findRefusal(db, limits, at)
  if (refused && !(refused.isFirstRefusal && countsFirstRefusal)) return refused
  return await db.transaction((trx) => countAttempt(trx, limits, at))
}

/** The problem for a refused attempt. @param by what refuses it, for the log */
export const tooManyAttempts = ({ retryAfter }: Pick<RefusedAttempt, 'retryAfter'>, by: string) =>
  new Problem('too-many-attempts', `no more attempts by ${by}`, { retryAfter })

/** The first of these limits that refuses an attempt now; counts none. */
async function findRefusal<Limit extends AttemptLimit>(
  db: Reader,
  limits: readonly Limit[],
  at: Instant,
): Promise<RefusedAttempt<Limit> | undefined> {
  const keys = limits.map(({ key }) => key)
  const counts = await findAttempts(db, keys)
  for (const refusedBy of limits) {
    const { decision } = decideAttempt(counts.get(refusedBy.key), refusedBy.policy, at)
    if (!decision.allowed) return { ...decision, refusedBy }
  }
  return undefined
}

async function countAttempt<Limit extends AttemptLimit>(
  trx: Transaction,
  limits: readonly Limit[],
  at: Instant,
): Promise<LimitedAttempt<Limit>> {
  let left = Number.POSITIVE_INFINITY
  for (const limit of limits) {
    const { key, policy, account } = limit
    const spent = await consumeAttempt(trx, key, at, policy, account)
    if (!spent.allowed) return { ...spent, refusedBy: limit }
    left = Math.min(left, Math.max(0, policy.free - spent.attempts))
  }
  return { allowed: true, left }
}
