import {
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import { element, oid, sequence, utf8String } from '#server/domain/asn1/der-writer.ts'
import { parseInstant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'

/** An unknown authority whose key the test holds. */
export type PrivateAuthority = { certificate: Certificate; key: KeyPair }

let count = 0

/** Its own root, not recognized as a test root. */
export async function aPrivateAuthority(name: string): Promise<PrivateAuthority> {
  const key = await newKeyPair()
  const subject = nameOf([{ oid: '2.5.4.3', value: utf8String(name) }])
  const der = mintCertificate({
    serial: `77${String(++count).padStart(6, '0')}`,
    issuer: subject,
    subject,
    publicKey: key.publicKey,
    notBefore: parseInstant('2020-01-01'),
    notAfter: parseInstant('2040-01-01'),
    extensions: [basicConstraints({ isAuthority: true }), keyUsage(0x06, 1, true)],
    issuerKey: key.privateKey,
  })
  return { certificate: readCertificate(der), key }
}

/** The distribution point in its certificates. @see RFC 5280, 4.2.1.13 */
export const listsAt = (...addresses: string[]) =>
  extension(
    '2.5.29.31',
    sequence(
      ...addresses.map((address) => {
        const name = element(0x86, Buffer.from(address, 'latin1'))
        return sequence(element(0xa0, element(0xa0, name)))
      }),
    ),
  )

/** A user certificate under it. @param ocsp the OCSP address in the certificate */
export async function certificateUnder(
  { certificate: issuer, key: issuerKey }: PrivateAuthority,
  options: {
    name?: string
    purposes?: readonly string[]
    ocsp?: readonly string[]
    keyPair?: KeyPair
    isAuthority?: boolean
    extensions?: readonly Uint8Array[]
  } = {},
): Promise<PrivateAuthority> {
  const key = options.keyPair ?? (await newKeyPair())
  const access = (options.ocsp ?? []).map((address) =>
    sequence(oid('1.3.6.1.5.5.7.48.1'), element(0x86, Buffer.from(address, 'latin1'))),
  )
  const der = mintCertificate({
    serial: `88${String(++count).padStart(6, '0')}`,
    issuer: issuer.subject.bytes,
    subject: nameOf([{ oid: '2.5.4.3', value: utf8String(options.name ?? 'Persona') }]),
    publicKey: key.publicKey,
    notBefore: parseInstant('2024-01-01'),
    notAfter: parseInstant('2030-01-01'),
    extensions: [
      basicConstraints({ isAuthority: options.isAuthority ?? false }),
      // keyCertSign and cRLSign, or digitalSignature and nonRepudiation
      options.isAuthority ? keyUsage(0x06, 1, true) : keyUsage(0xc0, 6, true),
      ...(options.purposes ? [extendedKeyUsage(options.purposes)] : []),
      ...(access.length > 0 ? [extension('1.3.6.1.5.5.7.1.1', sequence(...access))] : []),
      ...(options.extensions ?? []),
    ],
    issuerKey: issuerKey.privateKey,
  })
  return { certificate: readCertificate(der), key }
}
