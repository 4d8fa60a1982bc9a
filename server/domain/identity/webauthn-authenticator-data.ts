import { createHash } from 'node:crypto'
import type { KeyRefusal } from './webauthn-answer.ts'

/** Bits of the flags. @see https://www.w3.org/TR/webauthn-3/#authdata-flags */
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04

/** Minimum length: 32 bytes of hash, one of flags, four of counter. */
const SHORTEST = 37

/**
 * Why the authenticator data is refused, before its signature is checked.
 *
 * @param data authenticator data
 * @see https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data
 */
export function refusalOfData(
  data: Uint8Array,
  expected: { rpId: string; isVerificationRequired: boolean },
): KeyRefusal | undefined {
  if (data.length < SHORTEST) return 'unreadable'
  const hash = createHash('sha256').update(expected.rpId).digest()
  const flags = data[32] ?? 0
  if (!hash.equals(data.subarray(0, 32))) return 'wrong-relying-party'
  if (!(flags & USER_PRESENT)) return 'user-not-present'
  if (expected.isVerificationRequired && !(flags & USER_VERIFIED)) return 'user-not-verified'
}
