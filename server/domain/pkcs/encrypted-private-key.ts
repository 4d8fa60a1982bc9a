import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import { octetsOf, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type PasswordScheme, readPasswordScheme } from './password-scheme.ts'

export type EncryptedPrivateKey = {
  kind: 'PKCS#8'
  scheme: PasswordScheme
  encrypted: Uint8Array
}

/**
 * The parameters of an EncryptedPrivateKeyInfo, or undefined when it is one whose encryption we do not know.
 *
 * @throws {DerError} if it is no EncryptedPrivateKeyInfo at all
 * @see RFC 5958, 3
 */
export function readEncryptedPrivateKey(file: DerNode): EncryptedPrivateKey | undefined {
  const [algorithm, data, ...more] = sequenceOf(file)
  if (more.length > 0) throw new DerError('unexpected-structure', 'not an encrypted private key')
  const encrypted = octetsOf(data)
  const scheme = readPasswordScheme(readAlgorithmIdentifier(algorithm))
  return scheme && { kind: 'PKCS#8', scheme, encrypted }
}
