import { expect, test } from 'vitest'
import { accountLocks } from '#server/domain/identity/attempts/account-lock.ts'
import type { AttemptCount } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Email } from '#server/domain/identity/email.ts'
import { UserId } from '#server/domain/ids.ts'
import { after, EPOCH, hours, minutes } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const EMAIL = Email.parse('ximena@notaria.example')
const USER = UserId.parse('3f0e8a52-0f7d-4d0d-9b5c-7c7a7f4f9a11')

const count = (attempts: number, blockedUntil = EPOCH): AttemptCount => ({
  windowStartedAt: MORNING,
  attempts,
  refused: 0,
  blockedUntil,
})

const keys = {
  device: throttleKeys.signInFromDevice(EMAIL, 'browser'),
  network: (name: string) => throttleKeys.signInFromNetwork(EMAIL)(name),
  anywhere: throttleKeys.signIn(EMAIL),
  codeDevice: throttleKeys.codeFromDevice(USER, 'browser'),
  codeNetwork: throttleKeys.codeFromNetwork(USER)('203.0.113.7'),
  codeAnywhere: throttleKeys.code(USER),
}

test('locks: each kind of limit that is used up', () => {
  const soon = after(MORNING, minutes(2))
  const later = after(MORNING, minutes(8))
  const counts = [
    { key: keys.device, count: count(10) },
    { key: keys.network('203.0.113.7'), count: count(6, soon) },
    { key: keys.network('2001:db8::/48'), count: count(21, later) },
    { key: keys.anywhere, count: count(100) },
    { key: keys.codeDevice, count: count(10) },
    { key: keys.codeNetwork, count: count(5, soon) },
    { key: keys.codeAnywhere, count: count(20) },
  ]
  expect(accountLocks(counts, MORNING)).toEqual([
    { step: 'password', from: 'device', count: 1, until: after(MORNING, minutes(15)) },
    { step: 'password', from: 'network', count: 2, until: later },
    { step: 'password', from: 'anywhere', count: 1, until: after(MORNING, hours(1)) },
    { step: 'second-factor', from: 'device', count: 1, until: after(MORNING, minutes(15)) },
    { step: 'second-factor', from: 'network', count: 1, until: soon },
    { step: 'second-factor', from: 'anywhere', count: 1, until: after(MORNING, hours(1)) },
  ])
})

test('locks: a limit that is not used up, or whose time is over, is none', () => {
  const counts = [
    { key: keys.device, count: count(9) },
    { key: keys.network('203.0.113.7'), count: count(5, after(MORNING, minutes(-1))) },
    { key: keys.anywhere, count: count(99) },
  ]
  expect(accountLocks(counts, MORNING)).toEqual([])
  expect(
    accountLocks([{ key: keys.anywhere, count: count(100) }], after(MORNING, hours(1))),
  ).toEqual([])
})

test('locks: counts of something else are none', () => {
  const until = after(MORNING, hours(1))
  expect(accountLocks([{ key: 'network:203.0.113.7', count: count(100, until) }], MORNING)).toEqual(
    [],
  )
})
