import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { bitString, utf8String } from '#server/domain/asn1/der-writer.ts'
import {
  ID_CLIENT_AUTHENTICATION,
  ID_COMMON_NAME,
  ID_COUNTRY_NAME,
  ID_EMAIL_PROTECTION,
  ID_NETSCAPE_CERTIFICATE_TYPE,
  ID_ORGANIZATION_NAME,
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
import { encryptPrivateKey } from './encrypt-private-key.ts'
import { type Holder, holderName, text } from './sat-names.ts'

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject }

/** Root, issuing authority and the keys of both: with it e.firmas can be made. */
export type DemoAuthority = {
  root: Certificate
  rootKey: KeyPair
  issuing: Certificate
  issuingKey: KeyPair
}

export type EfirmaRequest = Holder & {
  kind: 'efirma-natural' | 'efirma-legal' | 'csd'
  notBefore: Instant
  /** Four years after `notBefore` where it is absent. */
  notAfter?: Instant
  password: string
  /** 20 digits. */
  serial: string
  /** Made where it is absent, which takes a moment. */
  keyPair?: KeyPair
  /** Beside those of the profile. */
  extensions?: readonly Uint8Array[]
}

/** The two files that a taxpayer receives, and what they hold. */
export type Efirma = {
  cer: Uint8Array
  key: Uint8Array
  certificate: Certificate
  keyPair: KeyPair
}

const FOUR_YEARS = days(1461)
const TWENTY_YEARS = days(7305)

const generate = promisify(generateKeyPair)

/** A new RSA key. */
export function newKeyPair(modulusLength = 2048, publicExponent = 65_537): Promise<KeyPair> {
  return generate('rsa', { modulusLength, publicExponent })
}

/**
 * A new authority of two levels with the profile of the SAT's and names that cannot be mistaken for it.
 *
 * @param now both certificates are valid from one day before, the root for twenty years
 */
export async function createAuthority(options: {
  now: Instant
  keyBits?: number
  /** Common name of the issuing authority. */
  issuingName?: string
}): Promise<DemoAuthority> {
  const { now, keyBits = 2048 } = options
  const [rootKey, issuingKey] = await Promise.all([newKeyPair(keyBits), newKeyPair(keyBits)])
  const notBefore = after(now, days(-1))
  const rootName = authorityName('Agencia Registradora de Demostración')
  const root = mintCertificate({
    serial: '00000000000000099001',
    issuer: rootName,
    subject: rootName,
    publicKey: rootKey.publicKey,
    notBefore,
    notAfter: after(notBefore, TWENTY_YEARS),
    extensions: authorityExtensions(1),
    issuerKey: rootKey.privateKey,
  })
  const issuing = mintCertificate({
    serial: '00000000000000099002',
    issuer: rootName,
    subject: authorityName(options.issuingName ?? 'AC de Demostración de Rúbrica'),
    publicKey: issuingKey.publicKey,
    notBefore,
    notAfter: after(notBefore, days(3653)),
    extensions: authorityExtensions(0),
    issuerKey: rootKey.privateKey,
  })
  return {
    root: readCertificate(root),
    rootKey,
    issuing: readCertificate(issuing),
    issuingKey,
  }
}

/** A new e.firma or CSD under `authority`, indistinguishable in form from one of the SAT. */
export async function mintEfirma(
  authority: DemoAuthority,
  request: EfirmaRequest,
): Promise<Efirma> {
  mustBeConsistent(request)
  const keyPair = request.keyPair ?? (await newKeyPair())
  const cer = mintCertificate({
    serial: request.serial,
    issuer: authority.issuing.subject.bytes,
    subject: holderName(request),
    publicKey: keyPair.publicKey,
    notBefore: request.notBefore,
    notAfter: request.notAfter ?? after(request.notBefore, FOUR_YEARS),
    extensions: [
      ...(request.kind === 'csd' ? csdExtensions() : efirmaExtensions()),
      ...(request.extensions ?? []),
    ],
    issuerKey: authority.issuingKey.privateKey,
  })
  return {
    cer,
    key: encryptPrivateKey(keyPair.privateKey, request.password),
    certificate: readCertificate(cer),
    keyPair,
  }
}

function mustBeConsistent({ kind, serial, representative, branch }: EfirmaRequest) {
  if (!/^\d{20}$/.test(serial)) throw new RangeError('a serial number has 20 digits')
  if ((kind === 'csd') !== (branch !== undefined)) throw new RangeError('a CSD names a branch')
  if ((kind === 'efirma-legal') !== (representative !== undefined) && kind !== 'csd')
    throw new RangeError('a company acts through a representative, a person does not')
}

function authorityName(commonName: string): Uint8Array {
  return nameOf([
    { oid: ID_COMMON_NAME, value: utf8String(commonName) },
    { oid: ID_ORGANIZATION_NAME, value: utf8String(DEMONSTRATION_ORGANIZATION) },
    text(ID_COUNTRY_NAME, 'MX'),
  ])
}

const authorityExtensions = (pathLength: number) => [
  basicConstraints({ isAuthority: true, pathLength }),
  // keyCertSign, cRLSign
  keyUsage(0x06, 1, true),
]

/** The only four of an e.firma: no key identifiers, no addresses, no policies. */
const efirmaExtensions = () => [
  basicConstraints({ isAuthority: false }),
  // digitalSignature, nonRepudiation, dataEncipherment, keyAgreement
  keyUsage(0xd8, 3),
  // netscapeCertType: SSL client, S/MIME
  extension(ID_NETSCAPE_CERTIFICATE_TYPE, bitString(Uint8Array.of(0xa0), 5)),
  // emailProtection, clientAuth
  extendedKeyUsage([ID_EMAIL_PROTECTION, ID_CLIENT_AUTHENTICATION]),
]

/** The only two of a CSD. */
const csdExtensions = () => [
  basicConstraints({ isAuthority: false }),
  // digitalSignature, nonRepudiation
  keyUsage(0xc0, 6),
]
