import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import {
  latin1,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import { derFromPem } from '#server/domain/asn1/pem.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { type EncryptedPrivateKey, readEncryptedPrivateKey } from './encrypted-private-key.ts'
import { type OldPemKey, readOldPem } from './old-pem.ts'

/** What a file that should be a private key turns out to be, before any password is asked for. */
export type PrivateKeyFile =
  | { kind: 'encrypted'; key: ProtectedKey }
  | { kind: PrivateKeyFileRefusal }

export type ProtectedKey = EncryptedPrivateKey | OldPemKey

export type PrivateKeyFileRefusal =
  | 'empty-file'
  | 'is-a-certificate'
  | 'is-a-pdf'
  | 'unprotected-key'
  | 'unsupported-encryption'
  | 'not-a-private-key'

/** Looks at a `.key` without opening it. Never throws. */
export function inspectPrivateKeyFile(file: Uint8Array): PrivateKeyFile {
  if (file.length === 0) return { kind: 'empty-file' }
  if (isPdf(file)) return { kind: 'is-a-pdf' }
  if (derFromPem(file, 'CERTIFICATE')) return { kind: 'is-a-certificate' }
  return inspectPem(file) ?? inspectDer(file)
}

/** Other readers of PDF look for its mark in the first kilobyte, so do we. */
export function isPdf(file: Uint8Array): boolean {
  return latin1(file.subarray(0, 1024)).includes('%PDF-')
}

function inspectPem(file: Uint8Array): PrivateKeyFile | undefined {
  const encrypted = derFromPem(file, 'ENCRYPTED PRIVATE KEY')
  if (encrypted) return inspectDer(encrypted)
  const label = /-----BEGIN (?:RSA |EC |DSA )?PRIVATE KEY-----/
  const text = latin1(file.subarray(0, 8192))
  if (!label.test(text)) return undefined
  if (!text.includes('ENCRYPTED')) return { kind: 'unprotected-key' }
  const key = readOldPem(file)
  return key ? { kind: 'encrypted', key } : { kind: 'unsupported-encryption' }
}

function inspectDer(file: Uint8Array): PrivateKeyFile {
  try {
    const node = readDer(file, { maxNodes: 5_000 })
    if (isUnprotected(node)) return { kind: 'unprotected-key' }
    if (isCertificate(file)) return { kind: 'is-a-certificate' }
    const key = readEncryptedPrivateKey(node)
    return key ? { kind: 'encrypted', key } : { kind: 'unsupported-encryption' }
  } catch (error) {
    if (error instanceof DerError) return { kind: 'not-a-private-key' }
    throw error
  }
}

function isCertificate(file: Uint8Array): boolean {
  try {
    readCertificate(file)
    return true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** PrivateKeyInfo (RFC 5958), RSAPrivateKey (RFC 8017) or ECPrivateKey (RFC 5915) in the clear. */
function isUnprotected(file: DerNode): boolean {
  const [version, second, third] = sequenceOf(file)
  if (version?.tag !== TAG.integer || version.content.length > 1) return false
  const isPkcs8 = second?.tag === TAG.sequence && third?.tag === TAG.octetString
  if (isPkcs8) return smallIntegerOf(version) <= 1 && oidOf(sequenceOf(second)[0]) !== ''
  const isRsa = second?.tag === TAG.integer && third?.tag === TAG.integer
  const isEc = second?.tag === TAG.octetString && octetsOf(second).length >= 28
  return isRsa || isEc
}
