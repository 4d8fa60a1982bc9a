import { expect, test } from 'vitest'
import { readCoseKey } from '#server/domain/crypto/cose-key.ts'
import { rsaKeyOf } from '#tests/support/authorities/certificate-mesh.ts'

/** A byte string of CBOR with a length of two bytes. @see RFC 8949, 3 */
const bytesOf = (text = '') => {
  const bytes = Buffer.from(text, 'base64url')
  return Buffer.concat([Buffer.of(0x59, bytes.length >> 8, bytes.length & 0xff), bytes])
}

/** A COSE_Key for RS256. @see RFC 8230, 4 */
function rsaCoseKey(bits: number, exponentBits: number): Uint8Array {
  const { n, e } = rsaKeyOf(bits, exponentBits).export({ format: 'jwk' })
  const head = Buffer.of(0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00)
  return Buffer.concat([head, Buffer.of(0x20), bytesOf(n), Buffer.of(0x21), bytesOf(e)])
}

test.each([
  [2048, 24, true],
  [4096, 32, true],
  [4104, 24, false],
  [16_384, 32, false],
  [2048, 40, false],
])('an RSA key of %i bits with an exponent of %i bits', (bits, exponentBits, isKey) => {
  expect(readCoseKey(rsaCoseKey(bits, exponentBits)) !== undefined).toBe(isKey)
})
