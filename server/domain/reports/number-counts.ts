import type { NumberState } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { type Counts, countOne } from './counts.ts'

export type SeriesCounts = { name: string; numbers: Counts<NumberState>; gaps: number }

/** What became of the numbers of each series. */
export type NumberCounts = { series: Partial<Record<NumberSeriesId, SeriesCounts>> }

export const noNumbers = (): NumberCounts => ({ series: {} })

/** A line of the register: a number, or a range of numbers of one state. */
export type CountedNumbers = { state: NumberState; first: number; last: number }

export function countNumbers(
  counts: NumberCounts,
  series: { id: NumberSeriesId; name: string },
  { state, first, last }: CountedNumbers,
): void {
  const known = counts.series[series.id] ?? { name: series.name, numbers: {}, gaps: 0 }
  counts.series[series.id] = known
  countOne(known.numbers, state, last - first + 1)
  if (state === 'missing') known.gaps += 1
}
