import { expect, test } from 'vitest'
import { timelineOf } from '#app/routes/public/timeline.ts'
import type { SignatureReport, TimestampFacts } from '#server/domain/verification/report.ts'
import { aSignatureReport } from '#tests/support/verification-reports.ts'

type Signed = [field: string, claimedTime: string | null, ...timestamps: TimestampFacts[]]

const order = (...signed: Signed[]) =>
  timelineOf(
    signed.map(
      ([field, claimedTime, ...timestamps]): SignatureReport =>
        aSignatureReport({ field, claimedTime, timestamps }),
    ),
    'America/Mexico_City',
  ).map((entry) => (entry.kind === 'signature' ? entry.field : entry.text))

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T12:00:00.000Z`
const stamp = (authority: string, time: string): TimestampFacts => ({
  kind: 'signature',
  valid: true,
  time,
  authority,
})

test('signatures stand by their time', () => {
  expect(order(['C', day(3)], ['A', day(1)], ['B', day(2)])).toEqual(['A', 'B', 'C'])
})

test('one without a time stays behind its neighbour in the file, and hides no other', () => {
  expect(order(['C', day(3)], ['?', null], ['A', day(1)])).toEqual(['A', 'C', '?'])
  expect(order(['?', null], ['B', day(2)], ['A', day(1)])).toEqual(['?', 'A', 'B'])
})

test.each([[[3, null, 1, null, 2]], [[2, null, null, 3, 1]], [[5, 4, null, 3, null, 2, 1]]])(
  'the dated ones of %j are in order, whatever stands between them',
  (days) => {
    const names = order(
      ...days.map(
        (number, index): Signed => [
          number === null ? `?${index}` : String(number),
          number === null ? null : day(number),
        ],
      ),
    )
    const dated = names.filter((name) => !name.startsWith('?')).map(Number)
    expect(dated).toEqual(dated.toSorted((a, b) => a - b))
  },
)

test('a timestamp stands behind the signatures that are not younger', () => {
  const last = stamp('Sello', day(2))
  expect(order(['A', day(1), last], ['B', day(3)])).toEqual([
    'A',
    'Sello digital de tiempo de la firma · Sello',
    'B',
  ])
})
