import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual, octetsOf, oidOf } from '#server/domain/asn1/der-values.ts'
import {
  ID_CMS_ALGORITHM_PROTECTION,
  ID_CONTENT_TYPE,
  ID_DATA,
  ID_MESSAGE_DIGEST,
} from '#server/domain/asn1/object-identifiers.ts'
import {
  type DigestName,
  digestNameOf,
  isBrokenDigest,
  startDigest,
} from '#server/domain/trust/digest-algorithm.ts'
import { checkSignature, type SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { protectsAlgorithms } from './algorithm-protection.ts'
import { singleValue } from './attributes.ts'
import type { SignedData } from './signed-data.ts'
import { certificatesNamedBy, type SignerInfo } from './signer-info.ts'
import { type CertificateBinding, checkCertificateBinding } from './signing-certificate.ts'

/** Everything that can be wrong with one signer of signed data, apart from trust. */
export type SignerProblem =
  | 'signer-certificate-missing'
  | 'message-digest-missing'
  | 'message-digest-differs'
  | 'content-type-missing'
  | 'content-type-differs'
  /** The algorithms beside the signature are not those that were signed. */
  | 'algorithms-differ'
  /** An attribute that must be there once is there twice, or with more or fewer values than one. */
  | 'attribute-ambiguous'
  /** CAdES and PAdES want the signing certificate inside what is signed. */
  | 'signing-certificate-missing'
  | 'signing-certificate-differs'
  /** The content is not plain data, so attributes should have been signed. */
  | 'signed-attributes-missing'
  /** Nothing but the content was signed, and the caller did not bring it. */
  | 'content-missing'
  | 'signature-differs'
  | 'digest-unsupported'
  /** EdDSA goes with one digest only. */
  | 'digest-not-allowed'
  | 'signature-algorithm-unsupported'
  /** To check a signature by a key of this size takes too long: it may be right. */
  | 'key-unsupported'
  | 'malformed'

export type SignerFacts = {
  /** The certificate whose key made the signature, else the one that is named; undefined without any. */
  certificate: Certificate | undefined
  /** The digest over the content is the one that was signed. */
  isIntact: boolean
  /** The signature over the signed attributes verifies with the certificate's key. */
  isValid: boolean
  /** Undefined where the digest algorithm is not known. */
  digest: DigestName | undefined
  /** Undefined where the signature could not be checked. */
  signature: SignatureFacts | undefined
  /** The digest over the content or the signature is of a strength that proves nothing by itself. */
  isWeak: boolean
  certificateBinding: CertificateBinding
  problems: readonly SignerProblem[]
}

export type ContentDigest = (digest: DigestName) => Uint8Array

/**
 * What one signature says, fact by fact. Never throws for what the bytes hold.
 *
 * @param options.contentDigest the digest over the content, which the caller reads in pieces through
 *   `startDigest`
 * @param options.content the content itself: only a detached signature without signed attributes
 *   needs it
 * @param options.certificates more candidates than the signed data brought along
 * @see RFC 5652, 5.4 and 5.6; RFC 5035, 5
 */
export function verifySigner(
  signedData: SignedData,
  signer: SignerInfo,
  options: {
    contentDigest: ContentDigest
    content?: Uint8Array
    certificates?: readonly Certificate[]
  },
): SignerFacts {
  const digest = digestNameOf(signer.digestAlgorithm.oid)
  const candidates = certificatesNamedBy(signer.identifier, [
    ...signedData.certificates,
    ...(options.certificates ?? []),
  ])
  const problems = new Set<SignerProblem>()
  if (!digest) problems.add('digest-unsupported')
  if (candidates.length === 0) problems.add('signer-certificate-missing')
  if (candidates.length > MOST_NAMESAKES) problems.add('malformed')
  const isDigestRight = checkMessage(signedData, signer, digest, options, problems)
  const { certificate, isValid, signature } = checkKeys(
    signer,
    candidates.slice(0, MOST_NAMESAKES),
    options.content ?? signedData.content,
    problems,
  )
  if (digest && signature && !isAllowed(signature, digest)) problems.add('digest-not-allowed')
  const certificateBinding = bind(signer, certificate, problems)
  checkAlgorithms(signer, problems)
  // Without signed attributes the signature itself is the only word about the content.
  const isIntact = signer.signedAttributes ? isDigestRight : isValid
  return {
    certificate: certificate ?? candidates[0],
    isIntact,
    isValid: isValid && !REFUSALS.some((problem) => problems.has(problem)),
    digest,
    signature,
    isWeak: signature?.isWeak === true || (digest !== undefined && isBrokenDigest(digest)),
    certificateBinding,
    problems: [...problems],
  }
}

/** A serial number is unique: a file with more certificates of one issuer and number is built to cost work. */
const MOST_NAMESAKES = 20

/** The signature may verify, but its meaning is ambiguous. */
const REFUSALS = ['attribute-ambiguous', 'malformed', 'digest-not-allowed'] as const

/** @see RFC 8419, 3.1: SHA-512 with Ed25519, SHAKE256 with Ed448 */
function isAllowed({ scheme }: SignatureFacts, digest: DigestName): boolean {
  if (scheme === 'Ed25519') return digest === 'sha512'
  return scheme !== 'Ed448' || digest === 'shake256'
}

type Problems = Set<SignerProblem>

function checkMessage(
  signedData: SignedData,
  signer: SignerInfo,
  digest: DigestName | undefined,
  { contentDigest }: { contentDigest: ContentDigest },
  problems: Problems,
): boolean {
  const attributes = signer.signedAttributes?.attributes
  if (!attributes) {
    if (signedData.contentType !== ID_DATA) problems.add('signed-attributes-missing')
    return false
  }
  const type = read(problems, () => singleValue(attributes, ID_CONTENT_TYPE))
  if (type === 'absent') problems.add('content-type-missing')
  else if (type === 'ambiguous') problems.add('attribute-ambiguous')
  else if (type && read(problems, () => oidOf(type)) !== signedData.contentType)
    problems.add('content-type-differs')
  const value = read(problems, () => singleValue(attributes, ID_MESSAGE_DIGEST))
  if (value === 'absent') problems.add('message-digest-missing')
  if (value === 'ambiguous') problems.add('attribute-ambiguous')
  if (!digest || value === undefined || value === 'absent' || value === 'ambiguous') return false
  const signed = read(problems, () => octetsOf(value))
  const isRight = signed !== undefined && areEqual(signed, contentDigest(digest))
  if (!isRight) problems.add('message-digest-differs')
  return isRight
}

function checkKeys(
  signer: SignerInfo,
  candidates: readonly Certificate[],
  content: Uint8Array | undefined,
  problems: Problems,
) {
  const signed = signer.signedAttributes?.setBytes ?? content
  if (!signed) problems.add('content-missing')
  const checks = (signed ? candidates : []).map((certificate) => ({
    certificate,
    check: checkSignature({
      algorithm: signer.signatureAlgorithm,
      digestAlgorithm: signer.digestAlgorithm,
      spki: certificate.publicKey.spki,
      signed: signed as Uint8Array,
      signature: signer.signature,
    }),
  }))
  const right = checks.find(({ check }) => check.kind === 'checked' && check.isVerified)
  const { certificate, check } = right ?? checks[0] ?? {}
  if (check?.kind === 'unsupported') problems.add('signature-algorithm-unsupported')
  else if (check?.kind === 'unsupported-key') problems.add('key-unsupported')
  else if (check && !right) problems.add('signature-differs')
  const signature = check?.kind === 'checked' ? check.facts : undefined
  return { certificate, isValid: right !== undefined, signature }
}

function bind(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  problems: Problems,
): CertificateBinding {
  const attributes = signer.signedAttributes?.attributes ?? []
  const binding =
    read(problems, () => checkCertificateBinding(attributes, certificate, hashOf)) ?? 'differs'
  if (binding === 'absent') problems.add('signing-certificate-missing')
  if (binding === 'ambiguous') problems.add('attribute-ambiguous')
  if (binding === 'differs') problems.add('signing-certificate-differs')
  return binding
}

function checkAlgorithms(signer: SignerInfo, problems: Problems): void {
  const attributes = signer.signedAttributes?.attributes ?? []
  const value = read(problems, () => singleValue(attributes, ID_CMS_ALGORITHM_PROTECTION))
  if (value === 'ambiguous') problems.add('attribute-ambiguous')
  if (value === undefined || value === 'absent' || value === 'ambiguous') return
  if (read(problems, () => protectsAlgorithms(value, signer)) === false)
    problems.add('algorithms-differ')
}

const hashOf = (digest: DigestName, bytes: Uint8Array): Uint8Array =>
  startDigest(digest).update(bytes).digest()

/** The value, or undefined with the problem noted when the bytes do not hold one. */
function read<T>(problems: Problems, reader: () => T): T | undefined {
  try {
    return reader()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    problems.add('malformed')
    return undefined
  }
}
