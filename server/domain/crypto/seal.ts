import { createCipheriv, createDecipheriv } from 'node:crypto'
import { concatBytes } from '#server/domain/bytes.ts'

export const SEAL_NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret for this key and place: nonce, ciphertext and tag. AES-256-GCM.
 *
 * @param nonce 12 random bytes, never reused with one key
 * @param place table, column and row; authenticated, not stored
 * @see NIST SP 800-38D, 8.2.2
 */
export function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  plain: Uint8Array,
  place: string,
): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(placeBytes(place))
  const body = cipher.update(plain)
  cipher.final()
  return concatBytes(nonce, body, cipher.getAuthTag())
}

/** The plaintext; undefined if it was changed, or for another key or place. */
export function unseal(key: Uint8Array, sealed: Uint8Array, place: string): Uint8Array | undefined {
  if (sealed.length < SEAL_NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = sealed.subarray(0, SEAL_NONCE_BYTES)
  const body = sealed.subarray(SEAL_NONCE_BYTES, sealed.length - TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(placeBytes(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const plain = decipher.update(body)
  try {
    decipher.final()
    return new Uint8Array(plain)
  } catch {
    return undefined
  }
}

const placeBytes = (place: string) => new TextEncoder().encode(`rubrica ${place}`)
