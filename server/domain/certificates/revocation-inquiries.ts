import { type Certificate, readCertificate } from '../efirma/certificate.ts'
import { DerError, readDer } from '../efirma/der.ts'
import { latin1, oidOf, sequenceOf } from '../efirma/der-values.ts'
import { basicConstraintsOf } from '../efirma/extensions.ts'
import type { Instant } from '../time.ts'
import { findPath } from './path.ts'
import type { TrustAnchor } from './trust-anchor.ts'

/** A certificate that somebody used, and where its authority is asked about it. */
export type RevocationInquiry = {
  certificate: Certificate
  issuer: Certificate
  /** Absolute http or https addresses, tried in order. */
  addresses: readonly string[]
}

/** Whoever brings more signers than this waits for nobody's answers but those of the first. */
const MOST_INQUIRIES = 20
const MOST_CERTIFICATES = 200

/**
 * What must be asked before these certificates are judged: one inquiry for each end entity that stands under
 * an anchor with an address. Who made a file decides neither whether nor where we ask: an address in a
 * certificate counts only when the anchor above it names the same host.
 *
 * @param found DER of certificates from a file
 * @see RFC 6960, 3.1; RFC 5280, 4.2.2.1
 */
export function inquiriesAbout(
  found: readonly Uint8Array[],
  trust: {
    anchors: readonly TrustAnchor[]
    candidates: readonly Certificate[]
    at: Instant
  },
): RevocationInquiry[] {
  const anchors = trust.anchors.filter(({ ocsp = [] }) => ocsp.length > 0)
  if (anchors.length === 0) return []
  const certificates = found.slice(0, MOST_CERTIFICATES).flatMap(tryToRead)
  const candidates = [...certificates.filter(isAuthority), ...trust.candidates]
  const inquiries: RevocationInquiry[] = []
  for (const certificate of certificates) {
    if (isAuthority(certificate) || inquiries.length >= MOST_INQUIRIES) continue
    const inquiry = inquiryAbout(certificate, { ...trust, anchors, candidates })
    if (inquiry) inquiries.push(inquiry)
  }
  return inquiries
}

function inquiryAbout(
  certificate: Certificate,
  trust: Parameters<typeof inquiriesAbout>[1],
): RevocationInquiry | undefined {
  // One that has expired may have signed something that a timestamp proves.
  const at = Math.min(Math.max(trust.at, certificate.notBefore), certificate.notAfter) as Instant
  const found = findPath(certificate, { ...trust, at })
  const issuer = found.kind === 'found' ? found.path[1] : undefined
  if (found.kind !== 'found' || !issuer) return undefined
  const { ocsp = [] } = found.anchor
  const hosts = new Set(ocsp.map(hostOf))
  const own = ocspAddressesOf(certificate).filter((address) => hosts.has(hostOf(address)))
  return { certificate, issuer, addresses: [...new Set([...ocsp, ...own])] }
}

const AUTHORITY_INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1'
const OCSP = '1.3.6.1.5.5.7.48.1'
const URI = 0x86

/** Where a certificate says that its issuer answers; what cannot be read says nothing. */
function ocspAddressesOf({ extensions }: Certificate): string[] {
  const access = extensions.find(({ oid }) => oid === AUTHORITY_INFORMATION_ACCESS)
  if (!access) return []
  try {
    return sequenceOf(readDer(access.value, { maxNodes: 200 }))
      .map((description) => sequenceOf(description))
      .filter(([method, location]) => oidOf(method) === OCSP && location?.tag === URI)
      .map(([, location]) => latin1(location?.content ?? new Uint8Array()))
      .filter((address) => hostOf(address) !== undefined)
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

/** Scheme, host and port; undefined for what is no address of the web or carries a name and a password. */
function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, username, password } = new URL(address)
  const isPlain = username === '' && password === ''
  return isPlain && /^https?:$/.test(protocol) ? `${protocol}//${host}` : undefined
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
