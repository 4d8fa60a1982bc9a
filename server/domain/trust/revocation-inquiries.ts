import { DerError } from '#server/domain/asn1/der.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { earliest, type Instant, latest } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { hostOf, listAddressesOf, ocspAddressesOf } from './named-addresses.ts'
import { findPath } from './path.ts'
import type { TrustAnchor } from './trust-anchor.ts'

/** A certificate on whose word something rests, and where its authority speaks about it. */
export type RevocationInquiry = {
  certificate: Certificate
  issuer: Certificate
  /** Who stands above the issuer. */
  parent?: Certificate
  /** Where questions are answered (OCSP): absolute http or https addresses, tried in order. */
  addresses: readonly string[]
  /** Where lists of revoked certificates lie; they are asked for when no responder answers. */
  lists: readonly string[]
}

/** A file with more signers has only the first of them asked about. */
export const MOST_INQUIRIES = 20
const MOST_CERTIFICATES = 200

/**
 * What must be asked before these certificates are judged: an inquiry for each end entity that stands under an
 * anchor, and for each authority between them, where there is a place to ask. Who made a file decides neither
 * whether nor where we ask: an address in a certificate counts only when the anchor above it names the same
 * host, or lets the certificates under it name their own.
 *
 * @param found DER of certificates from a file
 * @returns those about end entities first
 * @see RFC 6960, 3.1; RFC 5280, 4.2.1.13, 4.2.2.1 and 6.3
 */
export function inquiriesAbout(
  found: readonly Uint8Array[],
  trust: {
    anchors: readonly TrustAnchor[]
    candidates: readonly Certificate[]
    at: Instant
  },
): RevocationInquiry[] {
  const anchors = trust.anchors.filter(canBeAsked)
  if (anchors.length === 0) return []
  const certificates = found.slice(0, MOST_CERTIFICATES).flatMap(tryToRead)
  // Known authorities first: a search ends after a number of checks, and those of the file could use them up.
  const candidates = [...trust.candidates, ...certificates.filter(isAuthority)]
  const onPaths = certificates
    .filter((certificate) => !isAuthority(certificate))
    .slice(0, MOST_INQUIRIES)
    .map((certificate) => inquiriesOnPath(certificate, { ...trust, anchors, candidates }))
  const ofSigners = onPaths.flatMap(([own]) => own ?? [])
  const ofAuthorities = onPaths.flatMap(([, ...above]) => above)
  return distinct([...ofSigners, ...ofAuthorities])
    .filter(({ addresses, lists }) => addresses.length + lists.length > 0)
    .slice(0, MOST_INQUIRIES)
}

const canBeAsked = ({ ocsp = [], lists = [], believesAddresses }: TrustAnchor) =>
  ocsp.length + lists.length > 0 || believesAddresses === true

/** The first one about `certificate` itself; none without a path. */
function inquiriesOnPath(
  certificate: Certificate,
  trust: Parameters<typeof inquiriesAbout>[1],
): RevocationInquiry[] {
  // One that has expired may have signed something that a timestamp proves.
  const at = earliest(latest(trust.at, certificate.notBefore), certificate.notAfter)
  const found = findPath(certificate, { ...trust, at })
  if (found.kind !== 'found') return []
  const { path, anchor } = found
  return path.slice(0, -1).map((one, index) => {
    const [issuer, parent] = path.slice(index + 1) as [Certificate, ...Certificate[]]
    return { certificate: one, issuer, ...(parent && { parent }), ...placesFor(one, index, found) }
  })

  function placesFor(one: Certificate, index: number, { path }: { path: readonly unknown[] }) {
    const { ocsp = [], lists = [], believesAddresses = false } = anchor
    const hosts = new Set([...ocsp, ...lists].map(hostOf))
    const isAllowed = (address: string) => believesAddresses || hosts.has(hostOf(address))
    // Responders that the office knows answer about signers; the anchor's list covers the certificates that it issued.
    const isSigner = index === 0
    const isUnderAnchor = index === path.length - 2
    return {
      addresses: unique(isSigner ? ocsp : [], ocspAddressesOf(one).filter(isAllowed)),
      lists: unique(isUnderAnchor ? lists : [], listAddressesOf(one).filter(isAllowed)),
    }
  }
}

const unique = (...addresses: (readonly string[])[]) => [...new Set(addresses.flat())]

function distinct(inquiries: readonly RevocationInquiry[]): RevocationInquiry[] {
  const byCertificate = inquiries.map((one) => [sha256(one.certificate.der), one] as const)
  return [...new Map(byCertificate.toReversed())].toReversed().map(([, one]) => one)
}

function isAuthority(certificate: Certificate): boolean {
  try {
    return basicConstraintsOf(certificate)?.isAuthority === true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function tryToRead(der: Uint8Array): Certificate[] {
  try {
    return [readCertificate(der)]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}
