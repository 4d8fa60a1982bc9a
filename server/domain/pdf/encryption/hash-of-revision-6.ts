import { createHash } from 'node:crypto'
import { encryptAes128 } from './aes.ts'

const LEAST_ROUNDS = 64
const REPETITIONS = 64

/**
 * The slow hash of the empty user password with a salt, 32 bytes.
 *
 * @see ISO 32000-2:2020, 7.6.4.3.4, algorithm 2.B
 */
export function hashOfRevision6(salt: Uint8Array): Uint8Array {
  let hash = digest('sha256', salt)
  for (let round = 1, last = 0; round <= LEAST_ROUNDS || last > round - 1 - 32; round++) {
    const repeated = new Uint8Array(hash.length * REPETITIONS)
    for (let at = 0; at < repeated.length; at += hash.length) repeated.set(hash, at)
    const mixed = encryptAes128(hash.subarray(0, 16), hash.subarray(16, 32), repeated)
    const remainder = mixed.subarray(0, 16).reduce((sum, octet) => sum + octet, 0) % 3
    hash = digest((['sha256', 'sha384', 'sha512'] as const)[remainder]!, mixed)
    last = mixed.at(-1)!
  }
  return hash.subarray(0, 32)
}

const digest = (name: 'sha256' | 'sha384' | 'sha512', bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash(name).update(bytes).digest())
