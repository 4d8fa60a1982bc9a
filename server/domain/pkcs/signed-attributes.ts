import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  octetsOf,
  oidOf,
  sequenceOf,
  setOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import {
  type Bytes,
  octetString,
  oid,
  sequence,
  setOfElements,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_DATA,
  ID_MESSAGE_DIGEST,
  ID_SHA1,
  ID_SHA256,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** The certificate that a signature says it was made with. */
export type CertificateReference = {
  /** Dotted decimal of the digest. */
  hashAlgorithm: string
  hash: Uint8Array
  /** The whole IssuerSerial element; undefined where it is left out. */
  issuerSerial: DerNode | undefined
}

/**
 * The bytes that are signed: content type, message digest and the signing certificate, as a SET OF.
 *
 * No signing time, which a PDF signature says in its dictionary; no issuer and serial beside the hash of
 * the certificate, which already identifies it without a name that may be encoded in several ways.
 *
 * @param digest SHA-256 over the byte range
 * @param certificateDigest SHA-256 over the DER of the signer's certificate
 * @see ETSI EN 319 142-1 V1.2.1, 6.3; ETSI EN 319 122-1 V1.3.1, 5.2.2.3; RFC 5035, 4; RFC 5652, 5.4
 */
export function buildSignedAttributes(input: {
  digest: Uint8Array
  certificateDigest: Uint8Array
}): Bytes {
  // SHA-256 is the default of the hash algorithm, and DER leaves defaults out.
  const reference = sequence(octetString(input.certificateDigest))
  return setOfElements(
    attribute(ID_CONTENT_TYPE, oid(ID_DATA)),
    attribute(ID_MESSAGE_DIGEST, octetString(input.digest)),
    attribute(ID_SIGNING_CERTIFICATE_V2, sequence(sequence(reference))),
  )
}

const attribute = (type: string, value: Uint8Array) => sequence(oid(type), setOfElements(value))

/** What the bytes to be signed commit to. */
export type SignedAttributes = {
  contentType: string
  digest: Uint8Array
  /** The first one is the signer's. */
  certificates: readonly CertificateReference[]
}

/**
 * Reads attributes of exactly the shape that `buildSignedAttributes` gives them.
 *
 * @param attributes the SET OF, identifier 0x31
 * @throws {DerError} if one is missing, double, or not one of the three
 */
export function readSignedAttributes(attributes: Uint8Array): SignedAttributes {
  const values = new Map<string, DerNode>()
  for (const entry of setOf(readDer(attributes, { maxNodes: 200 }))) {
    const [type, set] = sequenceOf(entry)
    const [value, ...more] = setOf(set)
    if (!value || more.length > 0 || values.has(oidOf(type)))
      throw new DerError('unexpected-structure', 'an attribute with more or less than one value')
    values.set(oidOf(type), value)
  }
  if (values.size !== 3) throw new DerError('unexpected-structure', 'not the three attributes')
  return {
    contentType: oidOf(values.get(ID_CONTENT_TYPE)),
    digest: octetsOf(values.get(ID_MESSAGE_DIGEST)),
    certificates: readSigningCertificates(values.get(ID_SIGNING_CERTIFICATE_V2), 'v2'),
  }
}

/**
 * The references inside a signing-certificate attribute.
 *
 * @throws {DerError} @see RFC 5035, 4 (v2) and 5 (v1, always SHA-1)
 */
export function readSigningCertificates(
  value: DerNode | undefined,
  version: 'v1' | 'v2',
): CertificateReference[] {
  const references = sequenceOf(sequenceOf(value)[0]).map((entry) => {
    const fields = [...sequenceOf(entry)]
    const algorithm =
      version === 'v2' && fields[0]?.tag === TAG.sequence ? fields.shift() : undefined
    const implied = version === 'v2' ? ID_SHA256 : ID_SHA1
    return {
      hashAlgorithm: algorithm ? oidOf(sequenceOf(algorithm)[0]) : implied,
      hash: octetsOf(fields[0]),
      issuerSerial: fields[1],
    }
  })
  if (references.length === 0) throw new DerError('unexpected-structure', 'names no certificate')
  return references
}

export type CommitmentErrorCode = 'malformed' | 'other-document' | 'other-certificate'

/** The bytes to be signed do not say what was shown. Nothing may be signed. */
export class CommitmentError extends Error {
  override readonly name = 'CommitmentError'
  readonly code: CommitmentErrorCode

  constructor(code: CommitmentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Returns when signing `attributes` means signing this digest with this certificate and nothing else: the
 * page asks before its key touches bytes that a server sent.
 *
 * @throws {CommitmentError} `malformed`, `other-document` or `other-certificate`
 */
export async function assertCommitsTo(
  attributes: Uint8Array,
  expected: { digest: Uint8Array; certificate: Certificate },
): Promise<void> {
  const { contentType, digest, certificates } = readOrRefuse(attributes)
  if (contentType !== ID_DATA || certificates.length !== 1)
    throw new CommitmentError('malformed', 'not the attributes of a PDF signature')
  if (!areEqual(digest, expected.digest))
    throw new CommitmentError('other-document', 'the digest is another one')
  const [reference] = certificates
  const hash = await sha256(expected.certificate.der)
  if (reference?.hashAlgorithm !== ID_SHA256 || !areEqual(reference.hash, hash))
    throw new CommitmentError('other-certificate', 'the certificate is another one')
}

function readOrRefuse(attributes: Uint8Array): SignedAttributes {
  try {
    return readSignedAttributes(attributes)
  } catch (cause) {
    if (!(cause instanceof DerError)) throw cause
    throw new CommitmentError('malformed', 'not signed attributes', { cause })
  }
}

/** By the platform: this room has no digest of its own. */
export async function sha256(bytes: Uint8Array): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
}
