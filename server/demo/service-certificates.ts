import type { KeyObject } from 'node:crypto'
import { nullValue, utf8String } from '#server/domain/asn1/der-writer.ts'
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

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
const OCSP_NOCHECK = '1.3.6.1.5.5.7.48.1.5'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/** The OCSP responder that the authority delegates. @see RFC 6960, 4.2.2.2 */
export const mintOcspResponder = (authority: DemoAuthority, notBefore: Instant) =>
  mint(authority, {
    name: 'Servicio OCSP de demostración',
    serial: '00000000000000099011',
    notBefore,
    extensions: [extendedKeyUsage([OCSP_SIGNING]), extension(OCSP_NOCHECK, nullValue())],
  })

/** Who gives timestamps, and may do nothing else. @see RFC 3161, 2.3 */
export const mintTimestampAuthority = (authority: DemoAuthority, notBefore: Instant) =>
  mint(authority, {
    name: 'Autoridad de sellado de tiempo de demostración',
    serial: '00000000000000099012',
    notBefore,
    extensions: [extendedKeyUsage([TIME_STAMPING], true)],
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
      extendedKeyUsage(['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.2']),
    ],
    issuerKey: rootKey,
  })
  return { certificate: readCertificate(der), key: privateKey }
}

const organization = (commonName: string) =>
  nameOf([
    { oid: '2.5.4.3', value: utf8String(commonName) },
    { oid: '2.5.4.10', value: utf8String(DEMONSTRATION_ORGANIZATION) },
  ])

async function mint(
  { issuing, issuingKey }: DemoAuthority,
  service: { name: string; serial: string; notBefore: Instant; extensions: readonly Uint8Array[] },
): Promise<DemoService> {
  const { publicKey, privateKey } = await newKeyPair()
  const der = mintCertificate({
    serial: service.serial,
    issuer: issuing.subject.bytes,
    subject: nameOf([{ oid: '2.5.4.3', value: utf8String(service.name) }]),
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
