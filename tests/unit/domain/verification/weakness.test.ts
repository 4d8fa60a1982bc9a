import { expect, test } from 'vitest'
import { parseInstant } from '#server/domain/time.ts'
import { CURRENT_ALGORITHMS } from '#server/domain/trust/algorithm-policy.ts'
import type { SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import { isWeakAt } from '#server/domain/verification/weakness.ts'

const LAST_DAY = parseInstant('2017-01-01')
const now: VerificationPolicy = { anchors: [], candidates: [], at: parseInstant('2026-11-20') }
const lenient: VerificationPolicy = {
  ...now,
  algorithms: {
    ...CURRENT_ALGORITHMS,
    digests: { ...CURRENT_ALGORITHMS.digests, sha1: LAST_DAY },
  },
}
const rsa = (digest: 'sha1' | 'sha256', keyBits = 2048): SignatureFacts => ({
  scheme: 'RSASSA-PKCS1-v1_5',
  digest,
  keyBits,
  isWeak: digest === 'sha1' || keyBits < 2048,
})

test('one weak algorithm of several is enough', () => {
  const isWeak = (...signatures: (SignatureFacts | undefined)[]) =>
    isWeakAt({ signatures, digests: [] }, now.at, now)
  expect(isWeak(rsa('sha256'), rsa('sha1'))).toBe(true)
  expect(isWeak(rsa('sha1'), undefined)).toBe(true)
  expect(isWeak(rsa('sha256'), undefined)).toBe(false)
  expect(isWeak()).toBe(false)
})

test.each([
  ['SHA-256', rsa('sha256'), now, '2026-11-20', false],
  ['SHA-1', rsa('sha1'), now, '2015-01-01', true],
  ['SHA-1 where it counted, in its time', rsa('sha1'), lenient, '2015-01-01', false],
  ['SHA-1 where it counted, and nothing proves when', rsa('sha1'), lenient, '2026-11-20', true],
  ['a short key', rsa('sha256', 1024), now, '2015-01-01', true],
] as const)('%s', (_, signature, policy, at, isWeak) => {
  const digests = [signature.digest]
  expect(isWeakAt({ signatures: [signature], digests: [] }, parseInstant(at), policy)).toBe(isWeak)
  if (signature.keyBits >= 2048)
    expect(isWeakAt({ signatures: [undefined], digests }, parseInstant(at), policy)).toBe(isWeak)
})
