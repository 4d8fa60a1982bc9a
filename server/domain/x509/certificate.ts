import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import {
  bitStringOctetsOf,
  explicitContent,
  hexOf,
  integerBytesOf,
  sequenceOf,
  smallIntegerOf,
} from '#server/domain/asn1/der-values.ts'
import { derFromPem } from '#server/domain/asn1/pem.ts'
import type { Instant } from '#server/domain/time.ts'
import { type AlgorithmIdentifier, readAlgorithmIdentifier } from './algorithm-identifier.ts'
import { basicConstraintsOf, type Extension, readExtensions } from './extensions.ts'
import { displayName, type Name, readName } from './name.ts'
import { type PublicKey, readPublicKey } from './public-key.ts'

/** An X.509 certificate. Every `Uint8Array` is a view of the bytes that came; nothing is re-encoded. */
export type Certificate = {
  der: Uint8Array
  /** What the issuer signed. */
  tbs: Uint8Array
  signatureAlgorithm: AlgorithmIdentifier
  /** The algorithm as the signed part names it; must be the same bytes. */
  signedAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  version: 1 | 2 | 3
  /** The octets of the INTEGER in lower-case hexadecimal. */
  serial: string
  issuer: Name
  subject: Name
  /** Valid from this instant on. */
  notBefore: Instant
  /** Valid up to and including this instant. */
  notAfter: Instant
  publicKey: PublicKey
  extensions: readonly Extension[]
  /** The name to show to people. */
  name: string
}

/** Those of authorities and people have up to a few thousand bytes; all of them are digested with every check. */
export const MOST_BYTES = 64 * 1024

/**
 * The certificate that `der` consists of.
 *
 * @throws {DerError} if it is no certificate
 * @see RFC 5280, 4.1
 */
export function readCertificate(der: Uint8Array): Certificate {
  if (der.length > MOST_BYTES) throw new DerError('bad-value', `${der.length} bytes`)
  const [tbs, algorithm, signature, ...more] = sequenceOf(readDer(der, { maxNodes: 5_000 }))
  if (!tbs || more.length > 0) throw new DerError('unexpected-structure', 'not a certificate')
  const signed = readSignedPart(tbs)
  // Malformed constraints make the certificate unreadable here, not in each place that asks for them.
  basicConstraintsOf(signed)
  return {
    der,
    tbs: tbs.bytes,
    signatureAlgorithm: readAlgorithmIdentifier(algorithm),
    signature: bitStringOctetsOf(signature),
    ...signed,
    name: displayName(signed.subject),
  }
}

/**
 * The certificate in a file: DER as the SAT hands it out, or PEM text.
 *
 * @throws {DerError} if it is no certificate
 */
export function certificateFromFile(file: Uint8Array): Certificate {
  return readCertificate(derFromPem(file, 'CERTIFICATE') ?? file)
}

/** The identifiers are of version 2, and never used. @see RFC 5280, 4.1.2.8 */
const [ISSUER_ID, SUBJECT_ID, EXTENSIONS] = [0x81, 0x82, 0xa3]

function readSignedPart(tbs: DerNode) {
  const fields = sequenceOf(tbs)
  const hasVersion = fields[0]?.tag === 0xa0
  const version = hasVersion ? smallIntegerOf(explicitContent(fields[0] as DerNode)) + 1 : 1
  if (version !== 1 && version !== 2 && version !== 3)
    throw new DerError('bad-value', `version ${version}`)
  const [serialNode, algorithm, issuer, validity, subject, key, ...rest] = fields.slice(
    hasVersion ? 1 : 0,
  )
  const serialBytes = integerBytesOf(serialNode)
  const [notBefore, notAfter, ...times] = sequenceOf(validity).map(timeOf)
  for (const id of [ISSUER_ID, SUBJECT_ID]) if (rest[0]?.tag === id) rest.shift()
  const extensions = rest[0]?.tag === EXTENSIONS ? rest.shift() : undefined
  if (!key || notBefore === undefined || notAfter === undefined || times.length > 0)
    throw new DerError('unexpected-structure', 'a certificate without key or validity')
  if (rest.length > 0) throw new DerError('unexpected-structure', 'unknown field')
  return {
    signedAlgorithm: readAlgorithmIdentifier(algorithm),
    version: version as 1 | 2 | 3,
    serial: hexOf(serialBytes),
    issuer: readName(issuer),
    subject: readName(subject),
    notBefore,
    notAfter,
    publicKey: readPublicKey(key),
    extensions: extensions ? readExtensions(explicitContent(extensions)) : [],
  }
}
