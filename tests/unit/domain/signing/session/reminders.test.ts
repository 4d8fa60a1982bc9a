import { expect, test } from 'vitest'
import { ReminderPolicy } from '#server/domain/identity/office.ts'
import {
  nextReminder,
  remindersOf,
  wasJustReminded,
} from '#server/domain/signing/session/reminders.ts'
import { after, days, EPOCH, hours, minutes } from '#server/domain/time.ts'

const SINCE = after(EPOCH, days(20_000))
const ago = (count: number) => after(SINCE, days(count))

test.each(ReminderPolicy.options)('reminders: %s has its days, shortest first', (policy) => {
  const waits = remindersOf(policy)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.map((wait) => wait / days(1)).join(',')).toBe(policy === 'none' ? '' : policy)
})

test.each([
  ['at the beginning', 0, 1],
  ['at the first step itself', 1, 3],
  ['between two steps', 2, 3],
  ['after a pause over two steps', 5, 7],
])('next reminder: the nearest step ahead, %s', (_, waited, expected) => {
  expect(nextReminder('1,3,7', SINCE, ago(waited))).toBe(ago(expected))
})

test('next reminder: none after the last step, and none without a policy', () => {
  expect(nextReminder('1,3,7', SINCE, ago(7))).toBeNull()
  expect(nextReminder('none', SINCE, SINCE)).toBeNull()
})

test('last reminder: counts for twelve hours', () => {
  expect(wasJustReminded({ remindedAt: null }, SINCE)).toBe(false)
  expect(wasJustReminded({ remindedAt: SINCE }, after(SINCE, minutes(719)))).toBe(true)
  expect(wasJustReminded({ remindedAt: SINCE }, after(SINCE, hours(12)))).toBe(false)
})
