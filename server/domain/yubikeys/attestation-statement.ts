import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { areEqual, unsignedBytesOf } from '#server/domain/asn1/der-values.ts'
import {
  ID_COMMON_NAME,
  ID_YUBIKEY_FIRMWARE,
  ID_YUBIKEY_FORM_FACTOR,
  ID_YUBIKEY_POLICIES,
  ID_YUBIKEY_SERIAL,
} from '#server/domain/asn1/object-identifiers.ts'
import { allFromPem } from '#server/domain/asn1/pem.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { attributeOf } from '#server/domain/x509/name.ts'
import type { FormFactor } from './yubikey.ts'

/** When a key asks for the PIN. @see developers.yubico.com, "PIV attestation" */
export type PinPolicy = 'never' | 'once' | 'always' | 'match-once' | 'match-always' | 'unknown'

/** When a key asks to be touched; `cached`: a touch counts for 15 seconds. */
export type TouchPolicy = 'never' | 'always' | 'cached' | 'unknown'

/** What a YubiKey says about a key that it made, and about itself. */
export type AttestedFacts = {
  /** Two lower-case hexadecimal digits: `9c`. */
  slot: string
  /** Decimal digits, as printed on the device; null if the device keeps it to itself. */
  serial: string | null
  /** `5.4.3` */
  firmware: string
  pinPolicy: PinPolicy
  touchPolicy: TouchPolicy
  /** Null before firmware 5, and for codes that are not known. */
  formFactor: FormFactor | null
  /** What the device is beside its form: certified as FIPS 140, or without PIV by its model. */
  variant: 'fips' | 'security-key' | null
}

/** A statement, and the certificates that came with it. */
export type Attestation = {
  statement: Certificate
  facts: AttestedFacts
  others: readonly Certificate[]
}

export type AttestationFault =
  /** No certificate can be read. */
  | 'unreadable'
  | 'too-large'
  /** Certificates without what a YubiKey states: the one of an imported key, for instance. */
  | 'no-statement'
  /** Only the certificate in slot f9, with which the device signs statements. */
  | 'only-intermediate'
  /** Statements about several keys. */
  | 'several-statements'
  /** A statement with an extension that is malformed, or that stands there twice. */
  | 'malformed'

/** Most bytes of the files of an attestation; a statement and its issuers have some 4 KB as PEM. */
export const MOST_ATTESTATION_BYTES = 64 * 1024
const MOST_CERTIFICATES = 10

const STATEMENT_NAME = /^YubiKey PIV Attestation ([0-9a-f]{2})$/i
const INTERMEDIATE_NAME = /^(?:Yubico|YubiKey) PIV Attestation\b/i

/**
 * The statement in these files and the certificates beside it, in whatever order they came. Nothing is believed yet: see
 * `judgeAttestation`.
 *
 * @param files each one DER, or PEM with several certificates
 */
export function readAttestation(files: readonly Uint8Array[]): Attestation | AttestationFault {
  if (files.reduce((sum, { length }) => sum + length, 0) > MOST_ATTESTATION_BYTES)
    return 'too-large'
  const certificates = unique(files.flatMap(certificatesIn)).slice(0, MOST_CERTIFICATES)
  if (certificates.length === 0) return 'unreadable'
  const statements = certificates.filter(isStatement)
  const [statement, ...more] = statements
  if (more.length > 0) return 'several-statements'
  if (!statement) return certificates.some(isIntermediate) ? 'only-intermediate' : 'no-statement'
  const facts = orUndefined(() => attestedFactsOf(statement))
  if (!facts) return 'malformed'
  return { statement, facts, others: certificates.filter((one) => one !== statement) }
}

/** Its subject names a slot, and it states a firmware: neither is true of the certificate in slot f9. */
const isStatement = (certificate: Certificate): boolean =>
  slotOf(certificate) !== undefined &&
  certificate.extensions.some(({ oid }) => oid === ID_YUBIKEY_FIRMWARE)

const isIntermediate = ({ subject }: Certificate): boolean =>
  INTERMEDIATE_NAME.test(attributeOf(subject, ID_COMMON_NAME) ?? '')

const slotOf = ({ subject }: Certificate): string | undefined =>
  STATEMENT_NAME.exec(attributeOf(subject, ID_COMMON_NAME) ?? '')?.[1]?.toLowerCase()

/** @throws {DerError} if an extension is malformed or stands there twice */
function attestedFactsOf(statement: Certificate): AttestedFacts {
  const [major, minor, patch] = bytesOf(statement, ID_YUBIKEY_FIRMWARE, 3) ?? missing()
  const [pin, touch] = bytesOf(statement, ID_YUBIKEY_POLICIES, 2) ?? missing()
  const form = bytesOf(statement, ID_YUBIKEY_FORM_FACTOR, 1)?.[0]
  return {
    slot: slotOf(statement) ?? missing(),
    serial: serialOf(statement),
    firmware: `${major}.${minor}.${patch}`,
    pinPolicy: PIN_POLICIES[pin ?? 0] ?? 'unknown',
    touchPolicy: TOUCH_POLICIES[touch ?? 0] ?? 'unknown',
    formFactor: form === undefined ? null : (FORM_FACTORS[form & 0x3f] ?? null),
    variant: form === undefined ? null : variantOf(form),
  }
}

const PIN_POLICIES: Record<number, PinPolicy> = {
  1: 'never',
  2: 'once',
  3: 'always',
  4: 'match-once',
  5: 'match-always',
}
const TOUCH_POLICIES: Record<number, TouchPolicy> = { 1: 'never', 2: 'always', 3: 'cached' }
const FORM_FACTORS: Record<number, FormFactor> = {
  1: 'usb-a-keychain',
  2: 'usb-a-nano',
  3: 'usb-c-keychain',
  4: 'usb-c-nano',
  5: 'usb-c-lightning',
  6: 'usb-a-bio',
  7: 'usb-c-bio',
}

function variantOf(form: number): AttestedFacts['variant'] {
  if (form & 0x80) return 'fips'
  return form & 0x40 ? 'security-key' : null
}

/** An INTEGER, unlike the other extensions, whose octets are the value. */
function serialOf(statement: Certificate): string | null {
  const value = extensionOf(statement, ID_YUBIKEY_SERIAL)
  if (!value) return null
  const bytes = unsignedBytesOf(readDer(value))
  if (bytes.length === 0 || bytes.length > 4) throw new DerError('bad-value', 'no serial number')
  return String(bytes.reduce((sum, octet) => sum * 256 + octet, 0))
}

function bytesOf(statement: Certificate, oid: string, length: number): Uint8Array | undefined {
  const value = extensionOf(statement, oid)
  if (value && value.length !== length) throw new DerError('bad-value', `${oid} of ${value.length}`)
  return value
}

function extensionOf({ extensions }: Certificate, oid: string): Uint8Array | undefined {
  const [first, ...more] = extensions.filter((extension) => extension.oid === oid)
  if (more.length > 0) throw new DerError('unexpected-structure', `${oid} twice`)
  return first?.value
}

function missing(): never {
  throw new DerError('unexpected-structure', 'a statement without what it must state')
}

function certificatesIn(file: Uint8Array): Certificate[] {
  const blocks = allFromPem(file, 'CERTIFICATE', MOST_CERTIFICATES)
  const encoded = blocks.length > 0 ? blocks : [file]
  return encoded.flatMap((der) => orUndefined(() => readCertificate(der)) ?? [])
}

const unique = (certificates: readonly Certificate[]): Certificate[] =>
  certificates.filter(
    ({ der }, index) => certificates.findIndex((one) => areEqual(one.der, der)) === index,
  )

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
