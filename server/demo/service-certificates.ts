import type { KeyObject } from 'node:crypto'
import { type Certificate, readCertificate } from '#server/domain/efirma/certificate.ts'
import { nullValue, utf8String } from '#server/domain/efirma/der-writer.ts'
import { after, days, type Instant } from '#server/domain/time.ts'
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

/** Whom the authority delegated to say what it revoked. @see RFC 6960, 4.2.2.2 */
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
