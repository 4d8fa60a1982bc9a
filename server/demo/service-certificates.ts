import type { KeyObject } from 'node:crypto'
import { nullValue, utf8String } from '#server/domain/asn1/der-writer.ts'
import {
  ID_CLIENT_AUTHENTICATION,
  ID_COMMON_NAME,
  ID_EMAIL_PROTECTION,
  ID_OCSP_NO_CHECK,
  ID_OCSP_SIGNING,
  ID_ORGANIZATION_NAME,
  ID_TIME_STAMPING,
} from '#server/domain/asn1/object-identifiers.ts'
import { after, days, type Instant } from '#server/domain/time.ts'
import { DEMONSTRATION_ORGANIZATION } from '#server/domain/trust/authorities-for-testing.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  mintCertificate,
  nameOf,
} from './certificate-minting.ts'
import { type DemoAuthority, newKeyPair } from './certification-authority.ts'

/** A service that signs answers in the name of an authority. */
export type DemoService = { certificate: Certificate; key: KeyObject }

/** The OCSP responder that the authority delegates. @see RFC 6960, 4.2.2.2 */
export const mintOcspResponder = (authority: DemoAuthority, notBefore: Instant) =>
  mint(authority, {
    name: 'Servicio OCSP de demostración',
    serial: '00000000000000099011',
    notBefore,
    extensions: [extendedKeyUsage([ID_OCSP_SIGNING]), extension(ID_OCSP_NO_CHECK, nullValue())],
  })

/** Who gives timestamps, and may do nothing else. @see RFC 3161, 2.3 */
export const mintTimestampAuthority = (authority: DemoAuthority, notBefore: Instant) =>
  mint(authority, {
    name: 'Autoridad de sellado de tiempo de demostración',
    serial: '00000000000000099012',
    notBefore,
    extensions: [extendedKeyUsage([ID_TIME_STAMPING], true)],
  })

/** The root of the provider of constancias alone. */
export async function mintConstanciaRoot(notBefore: Instant): Promise<DemoService> {
  const { publicKey, privateKey } = await newKeyPair()
  const name = organization('Raíz de constancias de prueba')
  const der = mintCertificate({
    serial: '00000000000000099021',
    issuer: name,
    subject: name,
    publicKey,
    notBefore,
    notAfter: after(notBefore, days(7305)),
    // keyCertSign, cRLSign
    extensions: [basicConstraints({ isAuthority: true, pathLength: 0 }), keyUsage(0x06, 1, true)],
    issuerKey: privateKey,
  })
  return { certificate: readCertificate(der), key: privateKey }
}

/**
 * Who gives constancias, with the oddities of certificates that were really given: nothing says that it may
 * give timestamps, it is no authority and yet limits the path below itself, its number is negative and the
 * exponent of its key is 3.
 */
export async function mintConstanciaProvider(
  { certificate: root, key: rootKey }: DemoService,
  notBefore: Instant,
): Promise<DemoService> {
  const { publicKey, privateKey } = await newKeyPair(2048, 3)
  const der = mintCertificate({
    // Its first octet has the highest bit set.
    serial: '\x9b0000000000000099022',
    issuer: root.subject.bytes,
    subject: organization('Prestador de constancias de prueba'),
    publicKey,
    notBefore,
    notAfter: after(notBefore, days(3653)),
    extensions: [
      basicConstraints({ isAuthority: false, pathLength: 0 }),
      // digitalSignature, nonRepudiation
      keyUsage(0xc0, 6, true),
      // emailProtection, clientAuth
      extendedKeyUsage([ID_EMAIL_PROTECTION, ID_CLIENT_AUTHENTICATION]),
    ],
    issuerKey: rootKey,
  })
  return { certificate: readCertificate(der), key: privateKey }
}

const organization = (commonName: string) =>
  nameOf([
    { oid: ID_COMMON_NAME, value: utf8String(commonName) },
    { oid: ID_ORGANIZATION_NAME, value: utf8String(DEMONSTRATION_ORGANIZATION) },
  ])

async function mint(
  { issuing, issuingKey }: DemoAuthority,
  service: { name: string; serial: string; notBefore: Instant; extensions: readonly Uint8Array[] },
): Promise<DemoService> {
  const { publicKey, privateKey } = await newKeyPair()
  const der = mintCertificate({
    serial: service.serial,
    issuer: issuing.subject.bytes,
    subject: nameOf([{ oid: ID_COMMON_NAME, value: utf8String(service.name) }]),
    publicKey,
    notBefore: service.notBefore,
    notAfter: after(service.notBefore, days(3653)),
    extensions: [
      basicConstraints({ isAuthority: false }),
      // digitalSignature
      keyUsage(0x80, 7, true),
      ...service.extensions,
    ],
    issuerKey: issuingKey.privateKey,
  })
  return { certificate: readCertificate(der), key: privateKey }
}
