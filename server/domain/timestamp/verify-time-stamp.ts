import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
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

/** Why a timestamp proves nothing, whomever we trust. */
export type TimeStampProblem =
  | 'imprint-differs'
  | 'digest-unsupported'
  | 'certificate-missing'
  /** What the authority signed is not what the token holds. */
  | 'content-differs'
  | 'signature-differs'
  /** The token does not say, or not rightly, with which certificate it was signed. */
  | 'certificate-not-bound'
  | 'malformed'
  | 'critical-extension'
  /** The certificate is not for timestamping and not pinned as an issuer of constancias. */
  | 'not-for-time-stamping'

export type TimeStampFacts = {
  /** The bytes that we hold are those that were stamped. */
  doesMatch: boolean
  /** They match, and the token carries a valid signature of a certificate for timestamping. */
  isValid: boolean
  /** The first thing that is wrong; undefined when valid. */
  problem: TimeStampProblem | undefined
  /** Of the authority; undefined when it cannot be found. */
  certificate: Certificate | undefined
  /** The known issuer of constancias that signed it; undefined for other authorities. */
  constancia: ConstanciaIssuer | undefined
  /**
   * The token says rightly with which certificate it was signed. Only a constancia may be valid without: known
   * issuers name another certificate than that of their key, and the pinned root stands in for what they say.
   */
  isBound: boolean
  cms: SignerFacts
}

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/**
 * What a timestamp says about the bytes that `digestOf` digests. Whether its authority is trusted is another
 * question. Never throws for what the bytes hold.
 *
 * @param options.certificates candidates for the authority's certificate beside those in the token
 * @param options.issuers of constancias
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
  const isBound = cms.certificateBinding === 'matches'
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
 * Whether the certificate is for giving timestamps and for nothing else, as the standard wants it said.
 *
 * @see RFC 3161, 2.3
 */
export function isForTimeStamping(certificate: Certificate): boolean {
  const purpose = certificate.extensions.find(({ oid }) => oid === EXTENDED_KEY_USAGE)
  if (!purpose?.isCritical || hasUnknownCriticalExtension(certificate)) return false
  try {
    const usage = keyUsageOf(certificate)
    const maySign = !usage || usage.has('digitalSignature') || usage.has('nonRepudiation')
    const purposes = extendedKeyUsageOf(certificate) ?? []
    return maySign && purposes.length === 1 && purposes[0] === TIME_STAMPING
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

const EXTENDED_KEY_USAGE = '2.5.29.37'
