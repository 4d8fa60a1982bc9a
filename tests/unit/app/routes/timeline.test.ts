import { expect, test } from 'vitest'
import { timelineOf } from '#app/routes/verification/timeline.ts'
import type { SignatureReport, TimestampFacts } from '#server/domain/verification/report.ts'
import { aConstancia, aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

type Signed = [field: string, claimedTime: string | null, ...timestamps: TimestampFacts[]]

const order = (...signed: Signed[]) =>
  timelineOf(
    {
      signatures: signed.map(
        ([field, claimedTime, ...timestamps]): SignatureReport =>
          aSignatureReport({ field, claimedTime, timestamps }),
      ),
    },
    'America/Mexico_City',
  ).map((entry) => (entry.kind === 'signature' ? entry.field : entry.text))

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T12:00:00.000Z`
const stamp = (authority: string, time: string): TimestampFacts => ({
  kind: 'signature',
  valid: true,
  time,
  authority,
  vouched: true,
  trusted: true,
  reason: null,
})

test('signatures stand by their time', () => {
  expect(order(['C', day(3)], ['A', day(1)], ['B', day(2)])).toEqual(['A', 'B', 'C'])
})

test('timeline: an undated signature stays after its neighbour in the file and hides no other', () => {
  expect(order(['C', day(3)], ['?', null], ['A', day(1)])).toEqual(['A', 'C', '?'])
  expect(order(['?', null], ['B', day(2)], ['A', day(1)])).toEqual(['?', 'A', 'B'])
})

test.each([[[3, null, 1, null, 2]], [[2, null, null, 3, 1]], [[5, 4, null, 3, null, 2, 1]]])(
  'timeline: the dated ones of %j are in order, with any undated between them',
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

test('timeline: a constancia beside the file is placed at its time and says what it proves', () => {
  const proof: TimestampFacts = { ...stamp('PSC', day(2)), kind: 'constancia' }
  const line = timelineOf(
    {
      signatures: [
        aSignatureReport({ field: 'A', claimedTime: day(1), timestamps: [proof] }),
        aSignatureReport({ field: 'B', claimedTime: day(3) }),
      ],
      constancia: aConstancia({ time: day(2), authority: 'PSC' }),
    },
    'America/Mexico_City',
  )
  expect(line.map(({ id }) => id)).toEqual(['signature 0', 'constancia', 'signature 1'])
  expect(line[1]).toMatchObject({
    text: 'Constancia de conservación (NOM-151) · PSC',
    sentences: ['La constancia prueba que el archivo existía en su fecha.'],
  })
})

test('a constancia over an earlier revision neither praises the file nor blames it', () => {
  const constancia = aConstancia({ verdict: 'EARLIER_REVISION', matches: false, revisionBytes: 9 })
  const line = timelineOf({ signatures: [], constancia }, 'America/Mexico_City')
  expect(line).toMatchObject([{ id: 'constancia', tone: 'note' }])
})

test('timeline: an unreadable constancia is last', () => {
  const constancia = aConstancia({ kind: 'none', verdict: 'NOT_A_CONSTANCIA', time: null })
  const line = timelineOf({ signatures: [aSignatureReport()], constancia }, 'America/Mexico_City')
  expect(line.map(({ id }) => id)).toEqual(['signature 0', 'constancia'])
})
