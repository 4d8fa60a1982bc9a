import { expect, test } from 'vitest'
import { isLastSeenDue, isLive } from '#server/domain/identity/session.ts'
import { after, before, hours, minutes } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const IDLE = minutes(30)
const opened = { endedAt: null, expiresAt: after(MORNING, hours(12)), lastSeenAt: MORNING }

test('session: live until it was idle for so long', () => {
  expect(isLive(opened, IDLE, after(MORNING, minutes(29)))).toBe(true)
  expect(isLive(opened, IDLE, after(MORNING, IDLE))).toBe(false)
})

test('session: over at its absolute end, however lately it was used', () => {
  const used = { ...opened, lastSeenAt: after(MORNING, hours(12)) }
  expect(isLive(used, IDLE, after(MORNING, hours(12)))).toBe(false)
})

test('session: over once it ended', () => {
  expect(isLive({ ...opened, endedAt: MORNING }, IDLE, MORNING)).toBe(false)
})

test('session: does not outlive a clock that is set back further than it may be idle', () => {
  expect(isLive(opened, IDLE, before(MORNING, minutes(29)))).toBe(true)
  expect(isLive(opened, IDLE, before(MORNING, IDLE))).toBe(false)
})

test('last use: written once a minute, and when the clock was set back', () => {
  expect(isLastSeenDue(MORNING, after(MORNING, minutes(1)))).toBe(true)
  expect(isLastSeenDue(MORNING, after(MORNING, minutes(0.5)))).toBe(false)
  expect(isLastSeenDue(MORNING, before(MORNING, minutes(0.5)))).toBe(false)
  expect(isLastSeenDue(MORNING, before(MORNING, minutes(1)))).toBe(true)
})
