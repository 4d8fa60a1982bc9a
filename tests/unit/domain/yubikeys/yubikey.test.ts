import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { AttestedFacts } from '#server/domain/yubikeys/attestation-statement.ts'
import { keyOriginOf } from '#server/domain/yubikeys/certificate-in-key.ts'
import { conflictsWith } from '#server/domain/yubikeys/conflicts.ts'
import { endOfCredentials } from '#server/domain/yubikeys/credentials-of-a-key.ts'
import {
  Firmware,
  makesWeakRsaKeys,
  mayMove,
  stateAfter,
  YubikeySerial,
  YubikeyState,
} from '#server/domain/yubikeys/yubikey.ts'

test.each([
  ['12345678', '12345678'],
  [' 0012345678 ', '12345678'],
  ['4294967295', '4294967295'],
])('serial number %j: kept as %s', (typed, serial) => {
  expect(YubikeySerial.parse(typed)).toBe(serial)
})

test.each(['', '0', '000', '4294967296', '12 34', '-1', '1e5', '0x10', '1234567890123', '１２'])(
  'serial number %j: refused',
  (typed) => {
    expect(YubikeySerial.safeParse(typed).success).toBe(false)
  },
)

test('firmware: three numbers, and nothing else', () => {
  for (const typed of ['5.4.3', '5.7.4', '10.0.255'])
    expect(Firmware.safeParse(typed).success, typed).toBe(true)
  for (const typed of ['5', '5.4', '5.4.3.1', 'v5.4.3', '5.4.x', '5.4.1000'])
    expect(Firmware.safeParse(typed).success, typed).toBe(false)
})

test('weak RSA keys: of firmware 4.2.6 to 4.3.4 alone', () => {
  const tried = ['4.2.5', '4.2.6', '4.3.0', '4.3.4', '4.3.5', '5.2.6', '4.10.0', '3.3.4']
  expect(tried.filter(makesWeakRsaKeys)).toEqual(['4.2.6', '4.3.0', '4.3.4'])
})

test('states: each move leaves from some of them, and nothing leaves from retired', () => {
  const moves = ['handed-over', 'taken-back', 'lost', 'found', 'retired'] as const
  const allowed = Object.fromEntries(
    YubikeyState.options.map((state) => [state, moves.filter((move) => mayMove({ state }, move))]),
  )
  expect(allowed).toEqual({
    'in-stock': ['handed-over', 'lost', 'retired'],
    assigned: ['taken-back', 'lost', 'retired'],
    lost: ['found', 'retired'],
    retired: [],
  })
  const key = { id: 'any' as Parameters<typeof stateAfter>[0]['id'] }
  expect(stateAfter({ ...key, state: 'lost' }, 'found')).toBe('in-stock')
  expect(() => stateAfter({ ...key, state: 'retired' }, 'found')).toThrow(
    expect.objectContaining({ code: 'yubikey-state' }),
  )
})

test.each([
  [{ ending: 0, others: 0 }, 'nothing', 'nothing'],
  [{ ending: 0, others: 2 }, 'nothing', 'nothing'],
  [{ ending: 1, others: 1 }, 'others-left', 'others-left'],
  [{ ending: 2, others: 0 }, 'set-up-again', 'blocked'],
] as const)(
  'credentials end, %j: %s by the holder, %s by an administrator',
  (factors, own, other) => {
    expect(endOfCredentials(factors, 'holder')).toBe(own)
    expect(endOfCredentials(factors, 'administrator')).toBe(other)
  },
)

const FACTS: AttestedFacts = {
  ...{ slot: '9c', serial: '7', firmware: '5.4.3', pinPolicy: 'once', touchPolicy: 'never' },
  ...{ formFactor: 'usb-a-nano', variant: null },
}

test('conflicts: what either side leaves out contradicts nothing', () => {
  const nothing = { serial: null, firmware: null, formFactor: null }
  expect(conflictsWith(nothing, FACTS)).toEqual([])
  expect(conflictsWith({ ...nothing, serial: '8' }, { ...FACTS, serial: null })).toEqual([])
  expect(conflictsWith({ ...nothing, serial: '7', formFactor: 'usb-c-nano' }, FACTS)).toEqual([
    { field: 'formFactor', typed: 'usb-c-nano', attested: 'usb-a-nano' },
  ])
})

test('key of a certificate: made inside if one proven attestation names it', () => {
  const key = { kind: 'ec', bits: null, curve: null, sha256: sha256('key'), isWeak: false } as const
  const proven = { kind: 'proven', authorities: [], forTesting: false } as const
  const unchecked = { kind: 'unchecked', reason: 'no-maker-root' } as const
  const refuted = { kind: 'refuted', reason: 'bad-signature' } as const
  const about = (verdict: typeof proven | typeof unchecked | typeof refuted, slot: string) => ({
    ...{ verdict, key, facts: { ...FACTS, slot } },
  })
  expect(keyOriginOf(sha256('key'), [])).toEqual({ kind: 'not-attested' })
  expect(keyOriginOf(sha256('other'), [about(proven, '9c')])).toEqual({ kind: 'not-attested' })
  expect(keyOriginOf(sha256('key'), [about(refuted, '9a')])).toEqual({
    ...{ kind: 'unproven', slot: '9a' },
  })
  expect(keyOriginOf(sha256('key'), [about(unchecked, '9a'), about(proven, '9c')])).toEqual({
    ...{ kind: 'made-inside', slot: '9c' },
  })
})
