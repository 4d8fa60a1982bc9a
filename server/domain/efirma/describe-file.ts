import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { oidOf, sequenceOf, smallIntegerOf } from '#server/domain/asn1/der-values.ts'
import { ID_SIGNED_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { derFromPem } from '#server/domain/asn1/pem.ts'
import { isPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import { inspectPrivateKeyFile, isPdf } from '#server/domain/pkcs/private-key-file.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Certificate, certificateFromFile } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { displayName } from '#server/domain/x509/name.ts'
import { type SatProfile, satProfileOf } from './sat-profile.ts'

/** What people keep beside their e.firma, and mistake for it. Plain data: it crosses threads. */
export type DescribedFile =
  | DescribedCertificate
  | { kind: 'private-key'; protection: 'password' | 'unknown-method' | 'none' }
  /** Certificates and keys in one file, which only its password opens. */
  | { kind: 'pkcs12' }
  /** A request for a certificate: `.req` of the SAT. */
  | { kind: 'request' }
  /** Signed data: `.ren` and `.sdg` of the SAT, `.p7m` and `.p7s` of others. */
  | { kind: 'signed-data' }
  | { kind: 'empty' | 'pdf' | 'unknown' }

export type DescribedCertificate = {
  kind: 'certificate'
  use: SatProfile['kind'] | 'authority'
  /** As the certificate names the holder, fit to be shown. */
  name: string
  rfc: string | null
  /** The 20 digits of the SAT, else the serial number in hexadecimal. */
  number: string
  issuer: string
  notBefore: Instant
  notAfter: Instant
  validity: 'not-yet' | 'valid' | 'over'
}

/**
 * Says what a file is, by its bytes alone: its name may be anything. Nothing is decrypted, and no authority is asked. Never
 * throws.
 *
 * @param file a megabyte of it is enough: certificates and keys have a few thousand bytes, a PKCS#12 file may hold many
 * @param now to tell whether a certificate is valid
 */
export function describeFile(file: Uint8Array, now: Instant): DescribedFile {
  if (file.length === 0) return { kind: 'empty' }
  if (isPdf(file)) return { kind: 'pdf' }
  const certificate = orUndefined(() => describeCertificate(certificateFromFile(file), now))
  return certificate ?? keyIn(file) ?? otherIn(file)
}

/** @throws {DerError} if its basic constraints are malformed */
export function describeCertificate(certificate: Certificate, now: Instant): DescribedCertificate {
  const { name, issuer, notBefore, notAfter } = certificate
  const { kind, rfc, certificateNumber } = satProfileOf(certificate)
  return {
    kind: 'certificate',
    use: basicConstraintsOf(certificate)?.isAuthority ? 'authority' : kind,
    ...{ name, rfc, number: certificateNumber, issuer: displayName(issuer), notBefore, notAfter },
    validity: now < notBefore ? 'not-yet' : now > notAfter ? 'over' : 'valid',
  }
}

function keyIn(file: Uint8Array): DescribedFile | undefined {
  switch (inspectPrivateKeyFile(file).kind) {
    case 'encrypted':
      return { kind: 'private-key', protection: 'password' }
    case 'unsupported-encryption':
      return { kind: 'private-key', protection: 'unknown-method' }
    case 'unprotected-key':
      return { kind: 'private-key', protection: 'none' }
    default:
      return undefined
  }
}

function otherIn(file: Uint8Array): DescribedFile {
  if (isPkcs12(file)) return { kind: 'pkcs12' }
  const der = derFromPem(file, 'CERTIFICATE REQUEST') ?? derFromPem(file, 'PKCS7') ?? file
  const root = orUndefined(() => readDer(der, { maxNodes: MOST_NODES }))
  if (root && isTrue(() => oidOf(sequenceOf(root)[0]) === ID_SIGNED_DATA))
    return { kind: 'signed-data' }
  return root && isTrue(() => isRequest(root)) ? { kind: 'request' } : { kind: 'unknown' }
}

const MOST_NODES = 5_000

/** @see RFC 2986, 4 */
function isRequest(root: DerNode): boolean {
  const [info, algorithm, signature] = sequenceOf(root)
  const [version, subject, key, attributes] = sequenceOf(info)
  const hasParts = [algorithm, subject, key].every((part) => sequenceOf(part).length > 0)
  return hasParts && signature !== undefined && smallIntegerOf(version) === 0 && !!attributes
}

/** Undefined where the bytes are something else. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

const isTrue = (read: () => boolean): boolean => orUndefined(read) === true
