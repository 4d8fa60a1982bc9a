import des from 'des.js'

const TripleDesCbc = des.CBC.instantiate(des.EDE)

/**
 * What was encrypted by des-EDE3-CBC, or undefined when the padding says that the key is wrong. The caller
 * owns the result and wipes it. WebCrypto has no 3DES, and every `.key` of the SAT is encrypted with it.
 *
 * @param key 24 bytes
 * @param iv 8 bytes
 * @see RFC 8018, B.2.2
 */
export function decryptTripleDes(
  key: Uint8Array,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  if (encrypted.length === 0 || encrypted.length % 8 !== 0) return undefined
  const cipher = TripleDesCbc.create({ type: 'decrypt', key, iv, padding: false })
  const head = cipher.update(encrypted)
  const tail = cipher.final()
  const padded = Uint8Array.from([...head, ...tail])
  head.fill(0)
  tail.fill(0)
  const length = lengthWithoutPadding(padded)
  const plain = length === undefined ? undefined : padded.slice(0, length)
  padded.fill(0)
  return plain
}

function lengthWithoutPadding(padded: Uint8Array): number | undefined {
  const count = padded[padded.length - 1] ?? 0
  const isPadding = count >= 1 && count <= 8
  const length = padded.length - count
  return isPadding && padded.subarray(length).every((octet) => octet === count) ? length : undefined
}
