import { constants, createPublicKey, publicDecrypt } from 'node:crypto'
import { DerError, readBerPrefix, readDer } from '#server/domain/asn1/der.ts'
import { octetsOf, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { nullValue, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { ID_DATA, ID_RSA, ID_SHA1 } from '#server/domain/asn1/object-identifiers.ts'
import { isCheckable } from '#server/domain/trust/checkable-key.ts'
import { digestNameOf } from '#server/domain/trust/digest-algorithm.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { type SignedData, trailingOf } from './signed-data.ts'

const RSA_ENCRYPTION = readAlgorithmIdentifier(readDer(sequence(oid(ID_RSA), nullValue())))
const SHA1 = readAlgorithmIdentifier(readDer(sequence(oid(ID_SHA1), nullValue())))

/**
 * A PKCS #1 signature that came without any signed data, as the signed data of its one signer: it signs
 * the content itself and says nothing else.
 *
 * @param bytes begins with an OCTET STRING that holds the signature
 * @param certificates DER of each, the signer's first
 * @throws {DerError} if there is no signature or no signer's certificate
 * @see ISO 32000-2:2020, 12.8.3.2, and table 255, entry "Cert"
 */
export function readBareSignature(
  bytes: Uint8Array,
  certificates: readonly Uint8Array[],
): SignedData {
  const node = readBerPrefix(bytes)
  const signature = octetsOf(node)
  const [signer, ...others] = certificates.map(tryToRead)
  if (!signer) throw new DerError('unexpected-structure', 'no certificate of the signer')
  const digestAlgorithm = digestNamedIn(signature, signer) ?? SHA1
  return {
    version: 1,
    digestAlgorithms: [digestAlgorithm],
    contentType: ID_DATA,
    content: undefined,
    certificates: [signer, ...others.filter((other) => other !== undefined)],
    unreadableCertificates: certificates.filter((_, at) => at > 0 && !others[at - 1]),
    crls: [],
    ocspResponses: [],
    signers: [
      {
        bytes: node.bytes,
        version: 1,
        identifier: {
          kind: 'issuer-and-serial',
          issuer: signer.issuer,
          serial: signer.serial,
        },
        digestAlgorithm,
        signedAttributes: undefined,
        signatureAlgorithm: RSA_ENCRYPTION,
        signature,
        unsignedAttributes: [],
        areUnsignedAttributesDamaged: false,
      },
    ],
    length: node.bytes.length,
    trailing: trailingOf(bytes.subarray(node.bytes.length)),
  }
}

function tryToRead(der: Uint8Array): Certificate | undefined {
  try {
    return readCertificate(der)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/**
 * The signature itself says with which digest it was made, whatever its sub-filter is called. Whether it is
 * right is another question; undefined where it does not open.
 *
 * @see RFC 8017, 9.2
 */
function digestNamedIn(
  signature: Uint8Array,
  { publicKey }: Certificate,
): AlgorithmIdentifier | undefined {
  if (!isCheckable(publicKey)) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey.spki), format: 'der', type: 'spki' })
    const info = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature)
    const algorithm = readAlgorithmIdentifier(sequenceOf(readDer(info))[0])
    return digestNameOf(algorithm.oid) ? algorithm : undefined
  } catch {
    // No RSA key, or nothing that its owner signed.
    return undefined
  }
}
