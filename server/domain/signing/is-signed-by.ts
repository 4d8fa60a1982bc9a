import { verify } from 'node:crypto'
import { checkableKey } from '#server/domain/trust/signature-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/**
 * Whether `signature` over `attributes` was made with the key of `certificate`: RSASSA-PKCS1-v1_5 with SHA-256.
 * False for a malformed signature, and for a key that would take too long to check.
 *
 * @see RFC 8017, 8.2.2
 */
export function isSignedBy(
  certificate: Certificate,
  attributes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = checkableKey(certificate.publicKey.spki)
  return key?.asymmetricKeyType === 'rsa' && verify('sha256', attributes, key, signature)
}
