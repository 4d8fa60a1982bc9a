import { expect, test } from 'vitest'
import { standingOf } from '#server/domain/identity/held-certificate.ts'
import { isLastSeenDue, isLive } from '#server/domain/identity/session.ts'
import { after, before, days, hours, minutes, parseInstant, seconds } from '#server/domain/time.ts'

const now = parseInstant('2026-11-20T15:00:00Z')

test.each([
  ['not-yet-valid', after(now, days(1)), after(now, days(900))],
  ['in-force', before(now, days(1)), after(now, days(91))],
  ['expiring', before(now, days(1)), after(now, days(90))],
  ['expired', before(now, days(900)), before(now, days(1))],
])('a certificate is %s', (standing, notBefore, notAfter) => {
  expect(standingOf({ notBefore, notAfter }, now)).toBe(standing)
})

const session = {
  endedAt: null,
  expiresAt: after(now, hours(1)),
  lastSeenAt: before(now, minutes(5)),
}
test.each([
  ['in use', session, true],
  ['idle for too long', { ...session, lastSeenAt: before(now, minutes(30)) }, false],
  ['at its absolute end', { ...session, expiresAt: now }, false],
  ['ended', { ...session, endedAt: before(now, minutes(1)) }, false],
])('a session that is %s', (_, candidate, expected) => {
  expect(isLive(candidate, minutes(30), now)).toBe(expected)
})

test('"last seen" is written once a minute', () => {
  expect(isLastSeenDue(before(now, seconds(59)), now)).toBe(false)
  expect(isLastSeenDue(before(now, seconds(60)), now)).toBe(true)
})
