import { beforeAll, expect, test } from 'vitest'
import { isKnownRevoked } from '#server/domain/revocation/known-revoked.ts'
import { days, type Instant, after as later } from '#server/domain/time.ts'
import {
  ocspAnswer,
  type RevocationCast,
  revocationCast,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

let cast: RevocationCast
beforeAll(async () => {
  cast = await revocationCast()
}, 60_000)

const HOLD = 6
const good = (fetchedAt: Instant) => ({ status: 'good' as const, der: new Uint8Array(), fetchedAt })
const revoked = (reason: number) => ({
  status: 'revoked' as const,
  der: ocspAnswer(cast, { status: { at: TEST_NOW, reason } }).der,
  fetchedAt: TEST_NOW,
})
const newer = later(TEST_NOW, days(1))
const older = later(TEST_NOW, days(-1))

test('known revocation: no answer and good answers are none', () => {
  expect([isKnownRevoked([]), isKnownRevoked([good(TEST_NOW)])]).toEqual([false, false])
})

test('a known revocation stays, whatever later answers say', () => {
  for (const word of [good(older), good(newer)])
    expect(isKnownRevoked([revoked(1), word])).toBe(true)
})

test('a hold ends with the next good word', () => {
  expect(isKnownRevoked([revoked(HOLD)])).toBe(true)
  expect(isKnownRevoked([revoked(HOLD), good(older)])).toBe(true)
  expect(isKnownRevoked([revoked(HOLD), good(newer)])).toBe(false)
})
