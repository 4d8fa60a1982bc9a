import { createPublicKey, generateKeyPairSync, type KeyObject, randomInt } from 'node:crypto'
import { integer, utf8String } from '#server/domain/asn1/der-writer.ts'
import {
  ID_COMMON_NAME,
  ID_ORGANIZATION_NAME,
  ID_YUBIKEY_FIRMWARE,
  ID_YUBIKEY_FORM_FACTOR,
  ID_YUBIKEY_POLICIES,
  ID_YUBIKEY_SERIAL,
} from '#server/domain/asn1/object-identifiers.ts'
import { pemBlock } from '#server/domain/asn1/pem.ts'
import { after, days, type Instant } from '#server/domain/time.ts'
import { DEMONSTRATION_ORGANIZATION } from '#server/domain/trust/authorities-for-testing.ts'
import { basicConstraints, extension, mintCertificate, nameOf } from './certificate-minting.ts'
import { newKeyPair } from './certification-authority.ts'

/** Who makes devices: an authority with its key. */
export type DemoMaker = { der: Uint8Array; name: Uint8Array; key: KeyObject; notBefore: Instant }

/** A device: its key in slot f9 signs statements about keys that it made. */
export type DemoDevice = {
  /** The certificate in slot f9. */
  intermediate: Uint8Array
  serial: number
  attest(about: Partial<AttestedKey>): Uint8Array
}

export type AttestedKey = {
  slot: string
  /** The octets of the profile. */
  pin: number
  touch: number
  publicKey: KeyObject
  /** Instead of those of the profile, each one a whole Extension. */
  extensions: readonly Uint8Array[]
}

type Device = { serial: number; firmware: readonly [number, number, number]; form: number }

const LIFETIME = days(36 * 365)

const named = (name: string) =>
  nameOf([
    { oid: ID_COMMON_NAME, value: utf8String(name) },
    { oid: ID_ORGANIZATION_NAME, value: utf8String(DEMONSTRATION_ORGANIZATION) },
  ])

/** As devices name themselves: no organization. */
const deviceName = (name: string) => nameOf([{ oid: ID_COMMON_NAME, value: utf8String(name) }])

const newSerial = () => `7${randomInt(1e12)}`

/** A root of a maker of devices, for demonstrations. */
export async function mintMaker(name: string, notBefore: Instant): Promise<DemoMaker> {
  const { publicKey, privateKey } = await newKeyPair()
  const subject = named(name)
  const der = mintCertificate({
    ...{ serial: newSerial(), issuer: subject, subject, publicKey, issuerKey: privateKey },
    ...{ notBefore, notAfter: after(notBefore, LIFETIME) },
    extensions: [basicConstraints({ isAuthority: true })],
  })
  return { der, name: subject, key: privateKey, notBefore }
}

/** An authority between a root and the devices, as newer devices have. */
export async function mintSubordinateMaker(maker: DemoMaker, name: string): Promise<DemoMaker> {
  const { publicKey, privateKey } = await newKeyPair()
  const subject = named(name)
  const { notBefore } = maker
  const der = mintCertificate({
    ...{ serial: newSerial(), issuer: maker.name, subject, publicKey, issuerKey: maker.key },
    ...{ notBefore, notAfter: after(notBefore, LIFETIME) },
    extensions: [basicConstraints({ isAuthority: true })],
  })
  return { der, name: subject, key: privateKey, notBefore }
}

/**
 * A device of the maker, with the profile of its attestations: the statement has the validity of the certificate in slot f9.
 *
 * @see developers.yubico.com, "PIV attestation"
 */
export async function mintDevice(
  maker: DemoMaker,
  { serial, firmware, form }: Device,
): Promise<DemoDevice> {
  const { publicKey, privateKey } = await newKeyPair()
  const subject = deviceName('Yubico PIV Attestation')
  const validity = { notBefore: maker.notBefore, notAfter: after(maker.notBefore, LIFETIME) }
  const stated = [
    extension(ID_YUBIKEY_FIRMWARE, Uint8Array.from(firmware)),
    extension(ID_YUBIKEY_SERIAL, integer(serial)),
  ]
  return {
    serial,
    intermediate: mintCertificate({
      ...{ serial: newSerial(), issuer: maker.name, subject, publicKey, issuerKey: maker.key },
      ...validity,
      extensions: [basicConstraints({ isAuthority: true, pathLength: 0 })],
    }),
    attest: ({ slot = '9c', pin = 2, touch = 1, publicKey: attested, extensions }) =>
      mintCertificate({
        ...{ serial: newSerial(), issuer: subject, issuerKey: privateKey },
        subject: deviceName(`YubiKey PIV Attestation ${slot}`),
        publicKey: attested ?? aPublicKey(),
        ...validity,
        extensions: extensions ?? [
          ...stated,
          extension(ID_YUBIKEY_POLICIES, Uint8Array.of(pin, touch)),
          extension(ID_YUBIKEY_FORM_FACTOR, Uint8Array.of(form)),
        ],
      }),
  }
}

/** Of a key that the device keeps. */
function aPublicKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return createPublicKey(privateKey)
}

/** Certificates as one PEM file. */
export const pemFile = (...certificates: readonly Uint8Array[]): Uint8Array =>
  new TextEncoder().encode(certificates.map((der) => pemBlock(der, 'CERTIFICATE')).join(''))
