import { createCipheriv, createDecipheriv } from 'node:crypto'

const BLOCK = 16

/**
 * What AES-CBC hides behind an initialization vector, without its padding. Data that is cut short gives its
 * whole blocks, as other readers show them.
 *
 * @param key 16 or 32 bytes
 * @see ISO 32000-2:2020, 7.6.3.1
 */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const end = data.length - (data.length % BLOCK)
  if (end < 2 * BLOCK) return new Uint8Array()
  const plain = withoutPadding(decipher(key, data.subarray(0, BLOCK), data.subarray(BLOCK, end)))
  return plain
}

function withoutPadding(plain: Uint8Array): Uint8Array {
  const padding = plain.at(-1) ?? 0
  const isPadding = padding > 0 && padding <= BLOCK
  return isPadding ? plain.subarray(0, plain.length - padding) : plain
}

/** Without padding, from an initialization vector of zeros: how file keys of AES-256 are stored. */
export const unwrapKey = (key: Uint8Array, wrapped: Uint8Array): Uint8Array =>
  decipher(key, new Uint8Array(BLOCK), wrapped)

function decipher(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Uint8Array {
  const aes = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(false)
  return new Uint8Array(Buffer.concat([aes.update(data), aes.final()]))
}

/** AES-128-CBC without padding, as the hash of revision 6 wants it. */
export function encryptAes128(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Uint8Array {
  const aes = createCipheriv('aes-128-cbc', key, vector).setAutoPadding(false)
  return new Uint8Array(Buffer.concat([aes.update(data), aes.final()]))
}
