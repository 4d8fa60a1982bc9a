import { expect, test } from 'vitest'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import { createDocumentCounter } from '#server/domain/reports/document-counts.ts'
import { Month, monthsBetween, monthTeller, nextMonth } from '#server/domain/reports/month.ts'
import { parseInstant } from '#server/domain/time.ts'

const ZONE = 'America/Mexico_City'

function countsOf(documents: readonly [DocumentKind, DocumentState, string][]) {
  const counter = createDocumentCounter(ZONE)
  for (const [kind, state, at] of documents)
    counter.add({ kind, state, uploadedAt: parseInstant(at) })
  return counter.counts()
}

test('documents: counted by kind and state, the most frequent kind first', () => {
  const { total, kinds, states } = countsOf([
    ['will', 'draft', '2026-03-02T18:00:00Z'],
    ['deed', 'signed', '2026-03-02T18:00:00Z'],
    ['deed', 'signed', '2026-03-03T18:00:00Z'],
    ['deed', 'cancelled', '2026-03-04T18:00:00Z'],
  ])
  const none = { draft: 0, signing: 0, signed: 0, rejected: 0, cancelled: 0 }
  expect(kinds).toEqual([
    { kind: 'deed', states: { ...none, signed: 2, cancelled: 1 }, total: 3 },
    { kind: 'will', states: { ...none, draft: 1 }, total: 1 },
  ])
  expect(states).toEqual({ ...none, draft: 1, signed: 2, cancelled: 1 })
  expect(total).toBe(4)
})

test('documents: counted by months of the office, with those in between that have none', () => {
  const { months } = countsOf([
    // The evening of 31 December in Mexico.
    ['deed', 'draft', '2026-01-01T05:59:59.999Z'],
    ['deed', 'draft', '2026-03-01T06:00:00Z'],
    ['deed', 'draft', '2026-03-31T12:00:00Z'],
  ])
  expect(months).toEqual([
    { month: '2025-12', total: 1 },
    { month: '2026-01', total: 0 },
    { month: '2026-02', total: 0 },
    { month: '2026-03', total: 2 },
  ])
})

test('documents: an empty period has neither kinds nor months', () => {
  expect(countsOf([])).toMatchObject({ total: 0, kinds: [], months: [] })
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
