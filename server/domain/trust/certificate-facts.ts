import { createHash } from 'node:crypto'
import { DerError } from '#server/domain/asn1/der.ts'
import { toHex } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { type SatProfile, satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { foreignText } from '#server/domain/text/shown-text.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import {
  basicConstraintsOf,
  extendedKeyUsageOf,
  type KeyUsage,
  keyUsageOf,
  type NetscapeType,
  netscapeTypesOf,
  subjectKeyIdentifierOf,
} from '#server/domain/x509/extensions.ts'
import type { Name } from '#server/domain/x509/name.ts'
import type { PublicKey } from '#server/domain/x509/public-key.ts'
import { policyStatementsOf } from './certificate-policies.ts'
import { pinOf } from './mexican-authorities.ts'
import { listAddressesOf, ocspAddressesOf } from './named-addresses.ts'
import { findPath, type PathFailure } from './path.ts'
import type { TrustAnchor } from './trust-anchor.ts'

/** What an extension says: undefined if the certificate lacks it, `unreadable` if it is malformed. */
export type Stated<T> = T | 'unreadable' | undefined

/** An attribute of a name, its value fit to be shown. */
export type NamePart = { oid: string; value: string }

/** A certificate of a chain. */
export type ChainLink = {
  sha256: Sha256
  /** The name from the pin of a known authority, else the subject's own. */
  name: string
  notBefore: Instant
  notAfter: Instant
}

export type CertificateChain =
  /** From the issuer to the trust anchor, both included; empty if the certificate is the anchor. */
  | { kind: 'found'; authorities: readonly ChainLink[]; label: string; forTesting: boolean }
  /** @param about the name of the certificate that the reason is about */
  | { kind: 'none'; reason: PathFailure; about: string }

/** Everything that a certificate says, for people. Plain data: it crosses threads. */
export type CertificateFacts = {
  sha1: string
  version: Certificate['version']
  /** The octets of the serial number in hexadecimal; the SAT's reading is the number of its entry. */
  serial: string
  subject: readonly NamePart[]
  issuer: readonly NamePart[]
  representative: SatProfile['representative']
  /** Dotted decimal. */
  signatureAlgorithm: string
  key: {
    kind: PublicKey['kind']
    /** Of the modulus of an RSA key, else undefined. */
    bits: number | undefined
    /** Of an RSA key, in decimal; undefined for other keys and above 64 bits. */
    exponent: string | undefined
    /** Dotted decimal of the named curve of an EC key, else undefined. */
    curve: string | undefined
  }
  keyUsage: Stated<readonly KeyUsage[]>
  netscapeTypes: Stated<readonly NetscapeType[]>
  /** Dotted decimals. */
  purposes: Stated<readonly string[]>
  isAuthority: boolean
  /** Dotted decimals. */
  policies: Stated<readonly string[]>
  /** Hexadecimal. */
  subjectKeyIdentifier: Stated<string>
  /** Web addresses of OCSP responders and of lists of revoked certificates. */
  ocsp: readonly string[]
  lists: readonly string[]
  extensions: readonly { oid: string; isCritical: boolean }[]
  chain: CertificateChain
}

/** More parts than any authority writes; a hostile certificate may have thousands. */
const MOST_PARTS = 40

/**
 * What the certificate says, and the chain to its trust anchor. The chain is judged at `at`, or at the nearest time of the
 * certificate's own validity: the page of one that ended still shows who issued it.
 */
export function certificateFactsOf(
  certificate: Certificate,
  trust: {
    anchors: readonly TrustAnchor[]
    candidates: readonly Certificate[]
    at: Instant
  },
): CertificateFacts {
  const { extensions, publicKey } = certificate
  return {
    sha1: createHash('sha1').update(certificate.der).digest('hex'),
    version: certificate.version,
    serial: certificate.serial,
    subject: partsOf(certificate.subject),
    issuer: partsOf(certificate.issuer),
    representative: satProfileOf(certificate).representative,
    signatureAlgorithm: certificate.signatureAlgorithm.oid,
    key: {
      kind: publicKey.kind,
      bits: publicKey.modulus && bitsIn(publicKey.modulus),
      exponent: publicKey.exponent && decimalOf(publicKey.exponent),
      curve: publicKey.curve,
    },
    keyUsage: stated(() => bounded(keyUsageOf(certificate))),
    netscapeTypes: stated(() => netscapeTypesOf(certificate)),
    purposes: stated(() => bounded(extendedKeyUsageOf(certificate))),
    isAuthority: basicConstraintsOf(certificate)?.isAuthority ?? false,
    policies: stated(() => bounded(policyStatementsOf(certificate).policies)),
    subjectKeyIdentifier: stated(() => {
      const identifier = subjectKeyIdentifierOf(certificate)
      return identifier && toHex(identifier.subarray(0, 64))
    }),
    ocsp: ocspAddressesOf(certificate).slice(0, MOST_PARTS).map(shownAddress),
    lists: listAddressesOf(certificate).slice(0, MOST_PARTS).map(shownAddress),
    extensions: extensions.slice(0, MOST_PARTS).map(({ oid, isCritical }) => ({ oid, isCritical })),
    chain: chainOf(certificate, trust),
  }
}

const shownAddress = (address: string) => foreignText(address)

const partsOf = ({ attributes }: Name): NamePart[] =>
  attributes.slice(0, MOST_PARTS).map(({ oid, value }) => ({ oid, value: foreignText(value) }))

const bounded = <T>(values: Iterable<T> | undefined): T[] | undefined =>
  values && [...values].slice(0, MOST_PARTS)

function stated<T>(read: () => T | undefined): Stated<T> {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return 'unreadable'
    throw error
  }
}

const decimalOf = (magnitude: Uint8Array) =>
  magnitude.length > 8 ? undefined : BigInt(`0x0${toHex(magnitude)}`).toString()

/** @param magnitude without leading zeros */
const bitsIn = (magnitude: Uint8Array) =>
  magnitude.length === 0 ? 0 : magnitude.length * 8 - (Math.clz32(magnitude[0] ?? 0) - 24)

function chainOf(
  certificate: Certificate,
  { at, ...trust }: Parameters<typeof certificateFactsOf>[1],
): CertificateChain {
  const { notBefore, notAfter } = certificate
  const nearest = at < notBefore ? notBefore : at > notAfter ? notAfter : at
  const found = findPath(certificate, { ...trust, at: nearest })
  if (found.kind === 'none')
    return { kind: 'none', reason: found.reason, about: nameOf(found.certificate) }
  const { label, forTesting } = found.anchor
  return { kind: 'found', authorities: found.path.slice(1).map(linkOf), label, forTesting }
}

const linkOf = (certificate: Certificate): ChainLink => ({
  sha256: sha256(certificate.der),
  name: nameOf(certificate),
  notBefore: certificate.notBefore,
  notAfter: certificate.notAfter,
})

const nameOf = (certificate: Certificate) => pinOf(certificate)?.name ?? certificate.name
