import { expect, test } from 'vitest'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import { countAct, MOST_ACTS, noActs } from '#server/domain/reports/act-counts.ts'
import { sumOf } from '#server/domain/reports/counts.ts'
import { dayTeller } from '#server/domain/reports/day-teller.ts'
import { countDocument, noDocuments } from '#server/domain/reports/document-counts.ts'
import {
  addDuration,
  countOf,
  type Durations,
  percentileOf,
} from '#server/domain/reports/durations.ts'
import { Month, monthsBetween, monthTeller, nextMonth } from '#server/domain/reports/month.ts'
import { days, hours, milliseconds, minutes, parseInstant } from '#server/domain/time.ts'

const ZONE = 'America/Mexico_City'

function countsOf(documents: readonly [DocumentKind, DocumentState, string][]) {
  const counts = noDocuments()
  const monthOf = monthTeller(ZONE)
  for (const [kind, state, at] of documents)
    countDocument(counts, { kind, state, uploadedAt: parseInstant(at) }, monthOf)
  return counts
}

test('documents: counted by kind and state, and by months of the office', () => {
  const counts = countsOf([
    ['will', 'draft', '2026-03-02T18:00:00Z'],
    ['deed', 'signed', '2026-03-02T18:00:00Z'],
    ['deed', 'signed', '2026-03-03T18:00:00Z'],
    ['deed', 'cancelled', '2026-03-04T18:00:00Z'],
    // The evening of 31 December in Mexico.
    ['deed', 'draft', '2026-01-01T05:59:59.999Z'],
  ])
  expect(counts.kinds).toEqual({
    deed: { signed: 2, cancelled: 1, draft: 1 },
    will: { draft: 1 },
  })
  expect(counts.months).toEqual({ '2026-03': 4, '2025-12': 1 })
  expect(sumOf(counts.months)).toBe(5)
})

test('documents: a count that was written as JSON goes on', () => {
  const half = countsOf([['will', 'draft', '2026-03-02T18:00:00Z']])
  const read = JSON.parse(JSON.stringify(half)) as typeof half
  const more = { kind: 'will', state: 'draft', uploadedAt: parseInstant('2026-03-03') } as const
  countDocument(read, more, monthTeller(ZONE))
  expect(read).toEqual({ kinds: { will: { draft: 2 } }, months: { '2026-03': 2 } })
})

test('acts: counted whatever their case, with documents without one', () => {
  const counts = noActs()
  for (const act of ['Compraventa', 'COMPRAVENTA', 'Poder', null, '__proto__'])
    countAct(counts, act, 'signed')
  expect(Object.values(counts.acts)).toEqual([
    { name: 'Compraventa', states: { signed: 2 } },
    { name: 'Poder', states: { signed: 1 } },
    { name: '__proto__', states: { signed: 1 } },
  ])
  expect(counts.without).toEqual({ signed: 1 })
  expect('signed' in {}).toBe(false)
})

test('acts: beyond the limit they are counted together', () => {
  const counts = noActs()
  for (let act = 0; act < MOST_ACTS + 3; act += 1) countAct(counts, `Acto ${act}`, 'draft')
  countAct(counts, 'Acto 0', 'draft')
  expect(Object.keys(counts.acts)).toHaveLength(MOST_ACTS)
  expect(counts.others).toEqual({ draft: 3 })
  expect(Object.values(counts.acts)[0]?.states).toEqual({ draft: 2 })
})

function durationsOf(all: readonly number[]): Durations {
  const durations: Durations = {}
  for (const one of all) addDuration(durations, milliseconds(one))
  return durations
}

test('durations: median and percentile are those of the sorted list, within the stated error', () => {
  // Skewed, as waiting times are: from seconds to a year.
  const all = Array.from({ length: 5000 }, (_, index) => (1000 * 1.004 ** index) % days(365))
  const sorted = all.toSorted((one, other) => one - other)
  const durations = durationsOf(all)
  for (const share of [0.01, 0.25, 0.5, 0.9, 0.99, 1]) {
    const exact = sorted[Math.ceil(share * all.length) - 1]!
    const error = Math.abs(percentileOf(durations, share)! - exact)
    expect(error).toBeLessThanOrEqual(Math.max(minutes(0.5), exact * 0.01))
  }
  expect(countOf(durations)).toBe(all.length)
  expect(Object.keys(durations).length).toBeLessThan(600)
})

test('durations: of none there is no percentile; of one it is each', () => {
  expect(percentileOf({}, 0.5)).toBeUndefined()
  const one = durationsOf([hours(5)])
  for (const share of [0.1, 0.5, 1]) expect(percentileOf(one, share)! / hours(5)).toBeCloseTo(1, 1)
  expect(percentileOf(durationsOf([-hours(1)]), 0.5)).toBe(minutes(0.5))
})

test('durations: the median of two is the smaller one', () => {
  expect(percentileOf(durationsOf([minutes(4), minutes(40)]), 0.5)).toBe(minutes(4.5))
})

test('day: changes at midnight of the office, also back in time', () => {
  const dayOf = dayTeller(ZONE)
  const told = ['2026-11-20T05:59:59Z', '2026-11-20T06:00:00Z', '2026-11-20T05:59:59Z'].map((at) =>
    dayOf(parseInstant(at)),
  )
  expect(told).toEqual(['2026-11-19', '2026-11-20', '2026-11-19'])
})

test('month: follows over the end of a year, and changes at midnight of the office, also back in time', () => {
  const month = (text: string) => Month.parse(text)
  expect(nextMonth(month('2026-09'))).toBe('2026-10')
  expect(nextMonth(month('2026-12'))).toBe('2027-01')
  expect(monthsBetween(month('2026-11'), month('2027-01'))).toEqual([
    ...['2026-11', '2026-12', '2027-01'],
  ])
  const monthOf = monthTeller(ZONE)
  const told = ['2026-11-01T05:59:59Z', '2026-11-01T06:00:00Z', '2026-10-31T12:00:00Z'].map((at) =>
    monthOf(parseInstant(at)),
  )
  expect(told).toEqual(['2026-10', '2026-11', '2026-10'])
})
