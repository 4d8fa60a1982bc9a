import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import type { KeyPair } from '#server/demo/certification-authority.ts'
import {
  element,
  explicit,
  generalizedTime,
  integer,
  nullValue,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_CT_TST_INFO,
  ID_MESSAGE_DIGEST,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { testAuthority, testKeyPair } from './test-authority.ts'

/* Timestamps of a test authority; each can be wrong in exactly one place. */

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
export const TEST_POLICY = '1.2.3.4.1'

/** A timestamp authority. */
export type StampingAuthority = { certificate: Certificate; key: KeyObject }

let count = 0

/** A new one under the test authority, for timestamps only unless a test says otherwise. */
export async function stampingAuthority(
  changes: {
    name?: string
    notBefore?: Instant
    notAfter?: Instant
    extensions?: readonly Uint8Array[]
    keyPair?: KeyPair
  } = {},
): Promise<StampingAuthority> {
  const { issuing, issuingKey } = await testAuthority()
  const keyPair = changes.keyPair ?? (await testKeyPair())
  count += 1
  const der = mintCertificate({
    serial: `300010000006${String(count).padStart(8, '0')}`,
    issuer: issuing.subject.bytes,
    subject: nameOf([
      { oid: '2.5.4.3', value: utf8String(changes.name ?? 'Autoridad de sellado de prueba') },
    ]),
    publicKey: keyPair.publicKey,
    notBefore: changes.notBefore ?? parseInstant('2024-06-01T00:00:00Z'),
    notAfter: changes.notAfter ?? parseInstant('2030-06-01T00:00:00Z'),
    extensions: changes.extensions ?? [
      basicConstraints({ isAuthority: false }),
      // digitalSignature
      keyUsage(0x80, 7, true),
      extendedKeyUsage([TIME_STAMPING], true),
    ],
    issuerKey: issuingKey.privateKey,
  })
  return { certificate: readCertificate(der), key: keyPair.privateKey }
}

export type Stamping = {
  by: StampingAuthority
  time: Instant
  policy?: string
  /** Certificates in the token; the authority's own by default. */
  certificates?: readonly Certificate[]
  /** In place of the hash of the authority's certificate; null leaves the attribute out. */
  certificateHash?: Uint8Array | null
  /** In place of the SHA-256 of what is stamped: a whole MessageImprint. */
  imprint?: Uint8Array
  /** Replaces the signed content: a token that was changed. */
  signedContent?: Uint8Array
  /** More fields behind the time. */
  fields?: readonly Uint8Array[]
  /** Attributes beside the signature. */
  unsigned?: readonly Uint8Array[]
}

/** The token over `stamped`. @see RFC 3161, 2.4.2 */
export function stampOver(stamped: Uint8Array, stamping: Stamping): Uint8Array {
  const { by, time, policy = TEST_POLICY, fields = [], unsigned = [] } = stamping
  const digest = sequence(oid(SHA256), nullValue())
  const content = sequence(
    integer(1),
    oid(policy),
    stamping.imprint ?? sequence(digest, octetString(hash(stamped))),
    integer(++count),
    generalizedTime(time),
    ...fields,
  )
  const attributes = attributesOver(stamping.signedContent ?? content, stamping)
  const { issuer, serial } = by.certificate
  const signerInfo = sequence(
    integer(1),
    sequence(issuer.bytes, element(0x02, Buffer.from(serial, 'hex'))),
    digest,
    retagged(0xa0, attributes),
    sequence(oid(RSA_ENCRYPTION), nullValue()),
    octetString(sign('sha256', attributes, by.key)),
    ...(unsigned.length > 0 ? [retagged(0xa1, setOfElements(...unsigned))] : []),
  )
  const brought = (stamping.certificates ?? [by.certificate]).map(({ der }) => der)
  const signedData = sequence(
    integer(3),
    setOfElements(digest),
    sequence(oid(ID_CT_TST_INFO), explicit(0, octetString(content))),
    ...(brought.length > 0 ? [retagged(0xa0, setOfElements(...brought))] : []),
    setOfElements(signerInfo),
  )
  return sequence(oid(SIGNED_DATA), explicit(0, signedData))
}

function attributesOver(content: Uint8Array, { by, certificateHash }: Stamping): Uint8Array {
  const reference = certificateHash === undefined ? hash(by.certificate.der) : certificateHash
  const bound = reference && sequence(sequence(sequence(octetString(reference))))
  return setOfElements(
    attribute(ID_CONTENT_TYPE, oid(ID_CT_TST_INFO)),
    attribute(ID_MESSAGE_DIGEST, octetString(hash(content))),
    ...(bound ? [attribute(ID_SIGNING_CERTIFICATE_V2, bound)] : []),
  )
}

/** One whole Attribute with these values. */
export const attribute = (type: string, ...values: readonly Uint8Array[]) =>
  sequence(oid(type), setOfElements(...values))

/** A response: status 0 grants, 2 refuses. @see RFC 3161, 2.4.2 */
export const responseWith = (status: number, token?: Uint8Array): Uint8Array =>
  sequence(sequence(integer(status)), ...(token ? [token] : []))

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
