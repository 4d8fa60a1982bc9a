import { DerError } from '#server/domain/asn1/der.ts'
import type { Pkcs12Pair } from '#server/domain/pkcs/pkcs12.ts'
import { matchesCertificate, type OpenedPrivateKey } from '#server/domain/pkcs/private-key.ts'
import {
  inspectPrivateKeyFile,
  isPdf,
  type PrivateKeyFileRefusal,
} from '#server/domain/pkcs/private-key-file.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Certificate, certificateFromFile } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { satProfileOf } from './sat-profile.ts'

/** Everything that can be wrong with the two files and the password of an e.firma. */
export type EfirmaProblemCode =
  | 'not-a-certificate'
  | 'is-a-private-key'
  | 'csd'
  | 'unknown-kind'
  | 'authority-certificate'
  | 'not-yet-valid'
  | 'expired'
  | 'other-person'
  | 'untrusted-issuer'
  | PrivateKeyFileRefusal
  | 'wrong-password'
  | 'key-mismatch'

export type EfirmaProblem = {
  code: EfirmaProblemCode
  /** Which of the two files it is about. */
  file: 'certificate' | 'private-key'
  /** Of the certificate, where it could be read. */
  certificate?: { rfc: string | null; notBefore: Instant; notAfter: Instant }
}

export type CertificateDiagnosis =
  | { kind: 'usable'; certificate: Certificate }
  | ({ kind: 'refused' } & EfirmaProblem)

/** Of the pairs in one file the one that may sign now; where there is none, why the first may not. */
export type PairsDiagnosis =
  | { kind: 'usable'; certificate: Certificate; opened: OpenedPrivateKey }
  | ({ kind: 'refused' } & EfirmaProblem)

export type DiagnosisOptions = {
  now: Instant
  /** RFC of the required signer; any holder when absent. */
  requiredRfc?: string
}

/**
 * Whether the file is the certificate of an e.firma that may sign now. Local and at once: no password was
 * asked for yet and nothing left the machine. Who issued it is not judged here.
 */
export function diagnoseCertificate(
  file: Uint8Array,
  options: DiagnosisOptions,
): CertificateDiagnosis {
  const certificate = tryToRead(file)
  if (!certificate) return { kind: 'refused', code: whatElse(file), file: 'certificate' }
  const code = problemOf(certificate, options)
  if (!code) return { kind: 'usable', certificate }
  return { kind: 'refused', code, file: 'certificate', certificate: holderAndDates(certificate) }
}

function holderAndDates(certificate: Certificate): NonNullable<EfirmaProblem['certificate']> {
  const { notBefore, notAfter } = certificate
  return { rfc: satProfileOf(certificate).rfc, notBefore, notAfter }
}

/** Which pair of a PKCS#12 file signs. @param pairs in the order of the file */
export function diagnosePairs(
  [first, ...others]: readonly [Pkcs12Pair, ...Pkcs12Pair[]],
  options: DiagnosisOptions,
): PairsDiagnosis {
  const judge = ({ certificate, opened }: Pkcs12Pair): PairsDiagnosis => {
    const diagnosis = diagnoseCertificate(certificate.der, options)
    return diagnosis.kind === 'usable' ? { ...diagnosis, opened } : diagnosis
  }
  const judged = judge(first)
  if (judged.kind === 'usable') return judged
  return others.map(judge).find(({ kind }) => kind === 'usable') ?? judged
}

function tryToRead(file: Uint8Array): Certificate | undefined {
  try {
    return certificateFromFile(file)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function whatElse(file: Uint8Array): EfirmaProblemCode {
  if (file.length === 0) return 'empty-file'
  if (isPdf(file)) return 'is-a-pdf'
  const { kind } = inspectPrivateKeyFile(file)
  const isKey =
    kind === 'encrypted' || kind === 'unsupported-encryption' || kind === 'unprotected-key'
  return isKey ? 'is-a-private-key' : 'not-a-certificate'
}

/** What the file is comes before whose it is, and that before its dates: the nearest cause first. */
function problemOf(
  certificate: Certificate,
  { now, requiredRfc }: DiagnosisOptions,
): EfirmaProblemCode | undefined {
  if (basicConstraintsOf(certificate)?.isAuthority) return 'authority-certificate'
  const { kind, rfc } = satProfileOf(certificate)
  if (kind === 'csd') return 'csd'
  if (kind === 'unknown') return 'unknown-kind'
  if (requiredRfc !== undefined && rfc !== requiredRfc) return 'other-person'
  if (now < certificate.notBefore) return 'not-yet-valid'
  if (now > certificate.notAfter) return 'expired'
  return undefined
}

/** What is wrong with a `.key`, before its password is asked for; undefined when it can be opened. */
export function diagnosePrivateKeyFile(file: Uint8Array): EfirmaProblem | undefined {
  const { kind } = inspectPrivateKeyFile(file)
  return kind === 'encrypted' ? undefined : { code: kind, file: 'private-key' }
}

/** What is wrong with the two together; undefined when the key is the certificate's. */
export function diagnosePair(
  opened: OpenedPrivateKey,
  certificate: Certificate,
): EfirmaProblem | undefined {
  if (matchesCertificate(opened, certificate)) return undefined
  return { code: 'key-mismatch', file: 'private-key' }
}
