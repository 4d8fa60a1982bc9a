import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { concatBytes } from '#server/domain/bytes.ts'
import { BadHeader, decoded, type Stanza, unpadded } from './header.ts'
import { recipientOf, sharedSecret, X25519_BYTES } from './keys.ts'
import { FILE_KEY_BYTES, TAG_BYTES } from './stream.ts'

/* https://c2sp.org/age, "X25519 recipient stanza" */

const KIND = 'X25519'
const INFO = 'age-encryption.org/v1/X25519'
const CIPHER = 'chacha20-poly1305'
/* Each wrap key is used once. */
const NONCE = new Uint8Array(12)

/**
 * Wraps the key of a file, so that only the owner of the identity opens it.
 *
 * @param ephemeral 32 random bytes, never used again
 * @throws {RangeError} for a recipient that is no key
 */
export function wrapFileKey(
  recipient: Uint8Array,
  fileKey: Uint8Array,
  ephemeral: Uint8Array,
): Stanza {
  const share = recipientOf(ephemeral)
  const secret = sharedSecret(ephemeral, recipient)
  if (!secret) throw new RangeError('a recipient of low order')
  const key = wrapKey(secret, share, recipient)
  const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  const body = concatBytes(cipher.update(fileKey), cipher.final())
  return { words: [KIND, unpadded(share)], body: concatBytes(body, cipher.getAuthTag()) }
}

/**
 * @returns undefined if the stanza is of another kind or for another identity
 * @throws {BadHeader} if it is of this kind and malformed
 */
export function unwrapFileKey(identity: Uint8Array, stanza: Stanza): Uint8Array | undefined {
  const [kind, ...rest] = stanza.words
  if (kind !== KIND) return undefined
  if (rest.length !== 1) throw new BadHeader('X25519 has one argument')
  const share = decoded(rest[0]!, X25519_BYTES)
  // A longer body could be made to open with several keys.
  if (stanza.body.length !== FILE_KEY_BYTES + TAG_BYTES) throw new BadHeader('no file key')
  const secret = sharedSecret(identity, share)
  if (!secret) throw new BadHeader('a share of low order')
  return opened(wrapKey(secret, share, recipientOf(identity)), stanza.body)
}

function opened(key: Uint8Array, body: Uint8Array): Uint8Array | undefined {
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(body.subarray(FILE_KEY_BYTES))
  const plain = decipher.update(body.subarray(0, FILE_KEY_BYTES))
  try {
    decipher.final()
    return new Uint8Array(plain)
  } catch {
    return undefined
  }
}

const wrapKey = (secret: Uint8Array, share: Uint8Array, recipient: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', secret, concatBytes(share, recipient), INFO, 32))
