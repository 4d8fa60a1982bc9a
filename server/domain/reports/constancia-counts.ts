import type { Instant } from '#server/domain/time.ts'
import type { Month } from './month.ts'

/** The constancias that were requested in a month. */
export type MonthOfConstancias = {
  issued: number
  pending: number
  failed: number
  /** Of those that were issued with a known cost, in centavos. */
  cost: number
  /** Issued without a known cost. */
  withoutCost: number
}

export type ConstanciaCounts = { months: Partial<Record<Month, MonthOfConstancias>> }

export const noConstancias = (): ConstanciaCounts => ({ months: {} })

export type CountedConstancia = {
  state: 'pending' | 'issued' | 'failed'
  requestedAt: Instant
  /** What the office paid for it, in centavos; null if the provider had no cost then. */
  cost: number | null
}

const noConstanciasOfMonth = (): MonthOfConstancias => ({
  ...{ issued: 0, pending: 0, failed: 0, cost: 0, withoutCost: 0 },
})

export function countConstancia(
  counts: ConstanciaCounts,
  { state, requestedAt, cost }: CountedConstancia,
  monthOf: (at: Instant) => Month,
): void {
  const month = monthOf(requestedAt)
  const known = counts.months[month] ?? noConstanciasOfMonth()
  counts.months[month] = known
  known[state] += 1
  if (state !== 'issued') return
  if (cost === null) known.withoutCost += 1
  else known.cost += cost
}
