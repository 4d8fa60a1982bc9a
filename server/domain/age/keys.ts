import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'
import { concatBytes, fromHex } from '#server/domain/bytes.ts'
import { fromBech32, toBech32 } from './bech32.ts'

/*
 * The two halves of an X25519 key of age: files are encrypted to the recipient (`age1…`), which is public; only the
 * identity (`AGE-SECRET-KEY-1…`) opens them.
 *
 * https://c2sp.org/age, "The X25519 recipient type"
 */

export const X25519_BYTES = 32
const RECIPIENT = 'age'
const IDENTITY = 'age-secret-key-'

/** @returns undefined if the text is no X25519 recipient */
export const readRecipient = (text: string): Uint8Array | undefined => read(text, RECIPIENT)

/** @returns undefined if the text is no X25519 identity */
export const readIdentity = (text: string): Uint8Array | undefined => read(text, IDENTITY)

export const recipientText = (recipient: Uint8Array) => toBech32(RECIPIENT, recipient)

export const identityText = (identity: Uint8Array) => toBech32(IDENTITY, identity).toUpperCase()

/** The public half of an identity. */
export function recipientOf(identity: Uint8Array): Uint8Array {
  const spki = createPublicKey(privateKey(identity)).export({ format: 'der', type: 'spki' })
  return new Uint8Array(spki.subarray(-X25519_BYTES))
}

/** @returns undefined for a share of low order, whose secret everyone knows */
export function sharedSecret(secret: Uint8Array, share: Uint8Array): Uint8Array | undefined {
  try {
    return diffieHellman({ privateKey: privateKey(secret), publicKey: publicKey(share) })
  } catch {
    // OpenSSL refuses a secret of zeros.
    return undefined
  }
}

function read(text: string, prefix: string): Uint8Array | undefined {
  const found = fromBech32(text)
  return found?.prefix === prefix && found.bytes.length === X25519_BYTES ? found.bytes : undefined
}

/* Node takes raw keys only in their DER. https://www.rfc-editor.org/rfc/rfc8410#section-10 */
const PKCS8 = fromHex('302e020100300506032b656e04220420')
const SPKI = fromHex('302a300506032b656e032100')

const privateKey = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(concatBytes(PKCS8, raw)), format: 'der', type: 'pkcs8' })

const publicKey = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(concatBytes(SPKI, raw)), format: 'der', type: 'spki' })
