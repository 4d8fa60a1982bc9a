import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  createVainWindows,
  FIRSTS_A_MINUTE,
  gathered,
  MOST_VAIN_WINDOWS,
  NETWORKS_APART,
  type VainAttempt,
  type VainCount,
} from '#server/domain/identity/attempts/vain-attempts.ts'
import { OfficeId, UserId } from '#server/domain/ids.ts'
import { after, before, hours, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const USER = UserId.parse(randomUUID())
const OFFICE = OfficeId.parse(randomUUID())

const attempt = (changes: Partial<VainAttempt> = {}): VainAttempt => ({
  key: 'one',
  action: 'session.refused',
  details: { reason: 'wrong-password' },
  officeId: OFFICE,
  userId: USER,
  ip: '203.0.113.7',
  device: 'Chrome en Windows',
  requestId: 'r',
  isWarning: false,
  ...changes,
})

const at = (s: number) => after(MORNING, seconds(s))

test('windows: the first attempt of a key is the caller’s, those of the next minute are counted', () => {
  const windows = createVainWindows()
  expect(windows.note(attempt(), at(0))).toBe('first')
  expect(windows.note(attempt(), at(20))).toBe('counted')
  expect(windows.note(attempt({ requestId: 'last' }), at(50))).toBe('counted')
  expect(windows.take(at(59), 'ended')).toEqual([])
  expect(windows.take(at(60), 'ended')).toEqual([
    { ...attempt({ requestId: 'last' }), attempts: 2, firstAt: at(20), lastAt: at(50) },
  ])
  // The count became an event at 60 s: the next one may follow a minute later.
  expect(windows.note(attempt(), at(61))).toBe('counted')
  expect(windows.take(at(120), 'ended')).toMatchObject([{ attempts: 1, firstAt: at(61) }])
  expect(windows.take(at(180), 'ended')).toEqual([])
  expect(windows.note(attempt(), at(181))).toBe('first')
})

test('windows: an attempt that could not be logged opens none', () => {
  const windows = createVainWindows()
  windows.note(attempt(), at(0))
  windows.forget('one')
  expect(windows.note(attempt(), at(1))).toBe('first')
})

test('windows: an attempt that another process logged is counted until its minute ends', () => {
  const windows = createVainWindows()
  expect(windows.note(attempt(), at(30))).toBe('first')
  windows.join(attempt(), at(30), at(0))
  expect(windows.take(at(59), 'ended')).toEqual([])
  expect(windows.take(at(60), 'ended')).toMatchObject([{ attempts: 1 }])
})

test('windows: counts that could not be written are added again', () => {
  const windows = createVainWindows()
  windows.note(attempt(), at(0))
  windows.note(attempt(), at(1))
  const taken = windows.take(at(60), 'ended')
  windows.note(attempt(), at(61))
  windows.giveBack(taken)
  expect(windows.take(at(120), 'ended')).toMatchObject([
    { attempts: 2, firstAt: at(1), lastAt: at(61) },
  ])
})

test('windows: at the end of the process all counts are taken', () => {
  const windows = createVainWindows()
  windows.note(attempt(), at(0))
  windows.note(attempt(), at(1))
  expect(windows.take(at(2), 'all')).toMatchObject([{ attempts: 1 }])
})

test('windows: a clock that is set back keeps no count', () => {
  const windows = createVainWindows()
  windows.note(attempt(), at(0))
  windows.note(attempt(), at(1))
  expect(windows.take(before(MORNING, hours(3)), 'ended')).toMatchObject([{ attempts: 1 }])
})

test('windows: attempts at one network that name different users name none', () => {
  const windows = createVainWindows()
  windows.note(attempt(), at(0))
  windows.note(attempt(), at(1))
  windows.note(attempt({ userId: UserId.parse(randomUUID()) }), at(2))
  expect(windows.take(at(60), 'ended')).toMatchObject([{ userId: null, officeId: null }])
})

test('windows: a flood of keys has a bounded number of first attempts a minute', () => {
  const windows = createVainWindows()
  const firsts = (from: number, time: number) => {
    let count = 0
    for (let turn = 0; turn < 500; turn += 1)
      if (windows.note(attempt({ key: `key ${from + turn}` }), at(time)) === 'first') count += 1
    return count
  }
  expect(firsts(0, 0)).toBe(FIRSTS_A_MINUTE)
  expect(firsts(500, 30)).toBe(0)
  expect(firsts(1_000, 60)).toBe(FIRSTS_A_MINUTE)
  // Each of the others is counted.
  const taken = windows.take(at(200), 'ended')
  expect(taken).toHaveLength(1_500 - 2 * FIRSTS_A_MINUTE)
})

test('windows: a flood of keys does not grow without end, and every attempt is counted', () => {
  const windows = createVainWindows()
  const flood = MOST_VAIN_WINDOWS * 3
  let firsts = 0
  for (let turn = 0; turn < flood; turn += 1)
    if (
      windows.note(attempt({ key: `key ${turn}`, userId: null, officeId: null }), at(0)) === 'first'
    )
      firsts += 1
  const taken = windows.take(at(60), 'ended')
  expect(taken.length).toBeLessThanOrEqual(MOST_VAIN_WINDOWS + 1)
  expect(taken.reduce((sum, { attempts }) => sum + attempts, firsts)).toBe(flood)
})

const count = (changes: Partial<VainCount> = {}): VainCount => ({
  ...attempt(),
  attempts: 2,
  firstAt: at(1),
  lastAt: at(9),
  ...changes,
})

test('gathered: a few networks of a user are events of their own', () => {
  const counts = Array.from({ length: NETWORKS_APART }, (_, turn) => count({ key: `key ${turn}` }))
  expect(gathered(counts)).toEqual(counts)
})

test('gathered: many networks of a user are one event without a network', () => {
  const counts = Array.from({ length: 50 }, (_, turn) =>
    count({ key: `key ${turn}`, ip: `198.51.100.${turn}`, lastAt: at(turn + 9) }),
  )
  expect(gathered(counts)).toEqual([
    count({
      key: expect.stringContaining(USER) as unknown as string,
      attempts: 100,
      lastAt: at(58),
      ip: '',
      device: '',
      details: { reason: 'wrong-password', networks: 'several' },
    }),
  ])
})

test('gathered: all unknown accounts are one event', () => {
  const unknown = { userId: null, officeId: null, details: { reason: 'unknown-account' } }
  const counts = Array.from({ length: 9 }, (_, turn) => count({ key: `key ${turn}`, ...unknown }))
  const [one, ...others] = gathered([...counts, count()])
  expect(one).toMatchObject({ attempts: 18, userId: null })
  expect(others).toEqual([count()])
})

test('gathered: another reason is another event', () => {
  const counts = Array.from({ length: 8 }, (_, turn) =>
    count({ key: `key ${turn}`, details: { reason: turn < 4 ? 'wrong-password' : 'suspended' } }),
  )
  expect(gathered(counts).map(({ details }) => details.reason)).toEqual([
    'wrong-password',
    'suspended',
  ])
})
