import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { ID_EXTENDED_KEY_USAGE, ID_TIME_STAMPING } from '#server/domain/asn1/object-identifiers.ts'
import { isBoundTo } from '#server/domain/cms/signing-certificate.ts'
import {
  type ContentDigest,
  type SignerFacts,
  type SignerProblem,
  verifySigner,
} from '#server/domain/cms/verify-signer.ts'
import { startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { hasUnknownCriticalExtension } from '#server/domain/trust/path-rules.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { extendedKeyUsageOf, keyUsageOf } from '#server/domain/x509/extensions.ts'
import { type ConstanciaIssuer, constanciaIssuerFor } from './constancia-issuer.ts'
import type { TimeStampToken } from './time-stamp-token.ts'

/** Why a timestamp proves nothing, independent of trust. */
export type TimeStampProblem =
  | 'imprint-differs'
  | 'digest-unsupported'
  | 'certificate-missing'
  /** The signed digest does not match the content of the token. */
  | 'content-differs'
  | 'signature-differs'
  /** The signing-certificate attribute is missing or names another certificate. */
  | 'certificate-not-bound'
  | 'malformed'
  | 'critical-extension'
  /** The certificate is neither for timestamping nor pinned as an issuer of constancias. */
  | 'not-for-time-stamping'

export type TimeStampFacts = {
  /** The stamped digest matches our bytes. */
  doesMatch: boolean
  /** It matches, and the signature of a timestamping certificate is valid. */
  isValid: boolean
  /** The first problem; undefined if valid. */
  problem: TimeStampProblem | undefined
  /** The authority's certificate; undefined if it cannot be found. */
  certificate: Certificate | undefined
  /** The known issuer of constancias that signed it; undefined for other authorities. */
  constancia: ConstanciaIssuer | undefined
  /**
   * The token names its signing certificate correctly. Only a constancia may be valid without this: known
   * issuers name another certificate than that of their key, and the pinned root makes up for it.
   */
  isBound: boolean
  cms: SignerFacts
}

/**
 * Verifies a timestamp over the bytes that `digestOf` digests. Does not check whether its authority is trusted.
 * Never throws for the token's content.
 *
 * @param options.certificates further candidates for the authority's certificate
 * @param options.issuers known issuers of constancias
 * @see RFC 3161, 2.3 and 2.4.2; RFC 5816, 2.2
 */
export function verifyTimeStamp(
  token: TimeStampToken,
  digestOf: ContentDigest,
  options: {
    certificates?: readonly Certificate[]
    issuers?: readonly ConstanciaIssuer[]
  } = {},
): TimeStampFacts {
  const { signedData, signer, info } = token
  const content = signedData.content as Uint8Array
  const cms = verifySigner(signedData, signer, {
    contentDigest: (digest) => startDigest(digest).update(content).digest(),
    certificates: options.certificates ?? [],
  })
  const doesMatch = info.digest !== undefined && areEqual(info.imprint, digestOf(info.digest))
  const { certificate } = cms
  const constancia =
    certificate && constanciaIssuerFor(options.issuers ?? [], info.policy, certificate)
  const isBound = isBoundTo(cms.certificateBinding)
  const problem =
    problemInToken(token, cms, doesMatch) ??
    (constancia ? undefined : problemOfAuthority(certificate, isBound))
  return { doesMatch, isValid: !problem, problem, certificate, constancia, isBound, cms }
}

function problemInToken(
  { info }: TimeStampToken,
  { problems, isIntact, isValid }: SignerFacts,
  doesMatch: boolean,
): TimeStampProblem | undefined {
  if (!info.digest || problems.includes('digest-unsupported')) return 'digest-unsupported'
  if (!doesMatch) return 'imprint-differs'
  if (problems.includes('signer-certificate-missing')) return 'certificate-missing'
  if (!isIntact) return 'content-differs'
  if (!isValid) return 'signature-differs'
  if (problems.some((problem) => !BINDING_PROBLEMS.includes(problem))) return 'malformed'
  return info.hasCriticalExtension ? 'critical-extension' : undefined
}

const BINDING_PROBLEMS: readonly SignerProblem[] = [
  'signing-certificate-missing',
  'signing-certificate-differs',
]

function problemOfAuthority(
  certificate: Certificate | undefined,
  isBound: boolean,
): TimeStampProblem | undefined {
  if (!isBound) return 'certificate-not-bound'
  return certificate && isForTimeStamping(certificate) ? undefined : 'not-for-time-stamping'
}

/**
 * Whether the certificate is for timestamping only, as the standard requires.
 *
 * @see RFC 3161, 2.3
 */
export function isForTimeStamping(certificate: Certificate): boolean {
  const purpose = certificate.extensions.find(({ oid }) => oid === ID_EXTENDED_KEY_USAGE)
  if (!purpose?.isCritical || hasUnknownCriticalExtension(certificate)) return false
  try {
    const usage = keyUsageOf(certificate)
    const maySign = !usage || usage.has('digitalSignature') || usage.has('nonRepudiation')
    const purposes = extendedKeyUsageOf(certificate) ?? []
    return maySign && purposes.length === 1 && purposes[0] === ID_TIME_STAMPING
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
