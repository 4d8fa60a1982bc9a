import { expect, test } from 'vitest'
import { dueDayOf, FEDERAL_TERMS } from '#server/domain/care/arco-request.ts'
import { Day } from '#server/domain/day.ts'

const received = {
  receivedOn: Day.parse('2026-11-20'),
  terms: FEDERAL_TERMS,
  ...{ state: 'received' as const, extended: null, answer: null },
}
const on = Day.parse('2026-12-01')
const answered = { ...received, state: 'answered' as const, answer: { on } }

const NONE = new Set<Day>()

test('term: twenty working days to answer, from the day on which the request came', () => {
  expect(dueDayOf(received, NONE)).toBe('2026-12-18')
  expect(dueDayOf({ ...received, state: 'identified' }, NONE)).toBe('2026-12-18')
})

test('term: fifteen working days to make it effective, from the day of the answer', () => {
  expect(dueDayOf(answered, NONE)).toBe('2026-12-22')
})

test('term: an extension doubles the term that it was made for, also on the day of the answer', () => {
  expect(dueDayOf({ ...received, extended: { term: 'answer', on } }, NONE)).toBe('2027-01-19')
  expect(dueDayOf({ ...answered, extended: { term: 'answer', on } }, NONE)).toBe('2026-12-22')
  expect(dueDayOf({ ...answered, extended: { term: 'effect', on } }, NONE)).toBe('2027-01-14')
})

test('term: a closed request has none', () => {
  expect(dueDayOf({ ...answered, state: 'closed' }, NONE)).toBeNull()
})
