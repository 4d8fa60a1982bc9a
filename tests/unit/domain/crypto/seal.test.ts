import { expect, test } from 'vitest'
import { toHex } from '#server/domain/bytes.ts'
import { seal, unseal } from '#server/domain/crypto/seal.ts'

const key = new Uint8Array(32).fill(1)
const nonce = new Uint8Array(12).fill(2)
const secret = new TextEncoder().encode('a secret of 20 bytes')
const sealed = seal(key, nonce, secret, 'table.column:1')

test('opens with the same key at the same place', () => {
  expect(unseal(key, sealed, 'table.column:1')).toEqual(secret)
  expect(sealed).toHaveLength(12 + secret.length + 16)
  expect(unseal(key, seal(key, nonce, new Uint8Array(), 'x'), 'x')).toEqual(new Uint8Array())
})

test.each([
  ['another place', () => unseal(key, sealed, 'table.column:2')],
  ['another key', () => unseal(new Uint8Array(32).fill(3), sealed, 'table.column:1')],
  ['a flipped bit of the nonce', () => unseal(key, flipped(0), 'table.column:1')],
  ['a flipped bit of the ciphertext', () => unseal(key, flipped(12), 'table.column:1')],
  ['a flipped bit of the tag', () => unseal(key, flipped(-1), 'table.column:1')],
  ['a tag cut short', () => unseal(key, sealed.subarray(0, -1), 'table.column:1')],
  ['next to nothing', () => unseal(key, sealed.subarray(0, 27), 'table.column:1')],
  ['nothing', () => unseal(key, new Uint8Array(), 'table.column:1')],
])('%s does not open it', (_, open) => {
  expect(open()).toBeUndefined()
})

/* The key and nonce of McGrew & Viega, test case 14: only what is authenticated differs. */
test('is AES-256-GCM', () => {
  const zeros = new Uint8Array(16)
  const made = seal(new Uint8Array(32), new Uint8Array(12), zeros, '')
  expect(toHex(made.subarray(12, 28))).toBe('cea7403d4d606b6e074ec5d3baf39d18')
})

function flipped(at: number): Uint8Array {
  const copy = new Uint8Array(sealed)
  const index = at < 0 ? copy.length + at : at
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}
