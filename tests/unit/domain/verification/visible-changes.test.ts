import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Change } from '#server/domain/verification/report.ts'
import { changedPages } from '#server/domain/verification/visible-changes.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

const change = (level: Change['level'], page?: number): Change => ({
  revision: 2,
  level,
  object: '7 0',
  ...changeFact('structure-changed'),
  ...(page === undefined ? {} : { page }),
})

const signed = (...changes: Change[]) => aSignatureReport({ coverage: 'ENTIRE_REVISION', changes })

test('visible changes: only those that show on a page', () => {
  const changes = [change('FORM_FILLING'), change('LTA_UPDATES', 1), change('OTHER')]
  expect(changedPages({ signatures: [signed(...changes)] })).toEqual([])
  expect(changedPages({ signatures: [signed(change('ANNOTATIONS', 2))] })).toEqual([
    { signature: 0, page: 2 },
  ])
})

test('visible changes: filled fields come after changes that nothing allows', () => {
  const filled = [1, 2, 3, 4].map((page) => change('FORM_FILLING', page))
  expect(changedPages({ signatures: [signed(...filled, change('OTHER', 9))] })).toEqual(
    [1, 2, 3, 9].map((page) => ({ signature: 0, page })),
  )
})

test('a signature that covers no whole revision shows no page', () => {
  const unclear = { ...signed(change('OTHER', 1)), coverage: 'UNCLEAR' as const }
  expect(changedPages({ signatures: [unclear] })).toEqual([])
})

test('each page once, as its first signature saw it, and four at most', () => {
  const pages = [6, 5, 4, 3, 2].map((page) => change('OTHER', page))
  expect(changedPages({ signatures: [signed(...pages), signed(change('OTHER', 6))] })).toEqual(
    [3, 4, 5, 6].map((page) => ({ signature: 0, page })),
  )
})
