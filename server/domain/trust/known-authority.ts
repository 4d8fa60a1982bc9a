import { z } from 'zod'
import type { OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { WebAddress } from '#server/domain/web-address.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { isAuthorityForTesting } from './authorities-for-testing.ts'
import type { BundledAuthority } from './authority-facts.ts'
import {
  givesConstancias,
  knownResponders,
  LISTS_OF,
  OCSP_OF,
  pinOf,
  pinOfFingerprint,
} from './mexican-authorities.ts'
import { isAddressOfList } from './named-addresses.ts'
import type { TrustAnchor, TrustedResponder } from './trust-anchor.ts'

/**
 * `pinned`: its fingerprint is a fact of the program; `accepted`: an administrator decided to trust it; `offered`:
 * found in a file and not trusted; `removed`: an administrator decided to trust it no longer.
 */
export const AuthorityState = z.enum(['pinned', 'accepted', 'offered', 'removed'])
export type AuthorityState = z.infer<typeof AuthorityState>

/** An authority in one of these states is trusted. */
export const TRUSTED_STATES: readonly AuthorityState[] = ['pinned', 'accepted']

export const RevocationDemand = z.enum(['required', 'when-available'])

/** The reason that an administrator gives for trusting an authority, or for trusting it no longer. */
export const TrustReason = z.string().trim().min(10).max(500)

const MOST_ADDRESSES = 5

/**
 * Where an authority answers about certificates (OCSP), or publishes a list of those that it revoked (an address
 * that ends in `.crl`): we ask there and nowhere else.
 */
const OcspAddress = WebAddress
export const OcspAddresses = z.array(OcspAddress).max(MOST_ADDRESSES)

/** An authority that was brought into this installation, and what was decided about it. */
export type KnownAuthority = {
  sha256: Sha256
  certificate: Certificate
  state: AuthorityState
  revocation: TrustAnchor['revocation']
  /** See `OcspAddress`. */
  ocsp: readonly string[]
  /** Of a decision; null for a pin and for what was only offered. */
  reason: string | null
  since: Instant
  /** Null when the command line did it. */
  by: UserId | null
}

/**
 * Where a decision about an authority counts: in the whole installation, or in one office, before that of the
 * installation.
 */
export const INSTALLATION = 'installation'
export type TrustScope = OfficeId | typeof INSTALLATION

/** How an authority stands, without its certificate, which may have 64 KB and takes time to read. */
export type AuthorityStanding = Omit<KnownAuthority, 'certificate'>

/** An authority as it is stored: nothing of its certificate is read. */
export type StoredAuthority = AuthorityStanding & { certificate: Pick<Certificate, 'der'> }

/**
 * Most authorities of an installation, and of an office with them, whatever their state: lists show all of them, and each verdict considers all
 * that are trusted. Mexico has some fifty.
 */
export const MOST_AUTHORITIES = 1000

export type ImportOutcome =
  /** A pin covers it, and it was not trusted before. */
  | 'pinned'
  /** No pin covers it: it is listed, and not trusted. */
  | 'offered'
  /** It stands as it stood. */
  | 'known'
  /** Its word is for tests alone, and this is no demo. */
  | 'for-testing'
  /** It may not issue certificates: an e.firma, a seal, a server. */
  | 'no-authority'

/**
 * Decides what an import does with one certificate of a bundle of authorities.
 *
 * @param known how it stood before
 */
export function outcomeOfImport(
  { sha256, forTesting, mayIssue }: Pick<BundledAuthority, 'sha256' | 'forTesting' | 'mayIssue'>,
  known: Pick<KnownAuthority, 'state'> | undefined,
  { isDemo }: { isDemo: boolean },
): ImportOutcome {
  if (!isDemo && forTesting) return 'for-testing'
  if (pinOfFingerprint(sha256)) return known?.state === 'pinned' ? 'known' : 'pinned'
  if (!mayIssue) return 'no-authority'
  return known && known.state !== 'removed' ? 'known' : 'offered'
}

/** The authority as an import leaves it. */
export function importedAuthority(
  { sha256, der }: Pick<BundledAuthority, 'sha256' | 'der'>,
  outcome: 'pinned' | 'offered',
  made: Pick<KnownAuthority, 'since' | 'by'>,
): StoredAuthority {
  const pin = outcome === 'pinned' ? pinOfFingerprint(sha256) : undefined
  return {
    sha256,
    certificate: { der },
    state: outcome,
    revocation: 'required',
    ocsp: pin ? [...OCSP_OF[pin.institution], ...(LISTS_OF[pin.institution] ?? [])] : [],
    reason: null,
    ...made,
  }
}

/** Splits the addresses of an authority into OCSP responders and lists of revoked certificates. */
const placesIn = (addresses: readonly string[]): Pick<TrustAnchor, 'ocsp' | 'lists'> => ({
  ocsp: addresses.filter((address) => !isAddressOfList(address)),
  lists: addresses.filter(isAddressOfList),
})

export type TrustedAuthorities = {
  anchors: TrustAnchor[]
  candidates: Certificate[]
  /** Those of `anchors` under which issuers of constancias and of timestamps stand. */
  ofConstancias: TrustAnchor[]
  /** Who answers about certificates. */
  responders: TrustedResponder[]
}

/**
 * The trust that follows from the authorities of an installation. An accepted authority is an anchor; a pinned one
 * has the role of its pin. Authorities for testing count in a demo only, even if an administrator accepted them.
 */
export function trustIn(
  authorities: readonly KnownAuthority[],
  { isDemo }: { isDemo: boolean },
): TrustedAuthorities {
  const [anchors, candidates]: [TrustAnchor[], Certificate[]] = [[], []]
  for (const { certificate, state, revocation, ocsp } of authorities) {
    const pin = state === 'pinned' ? pinOf(certificate) : undefined
    const forTesting = isAuthorityForTesting(certificate)
    if ((state !== 'accepted' && !pin) || (forTesting && !isDemo)) continue
    if (pin && pin.role !== 'anchor') {
      candidates.push(certificate)
      continue
    }
    const label = pin?.name ?? 'Aceptada por decisión de la notaría'
    anchors.push({ certificate, label, forTesting, revocation, ...placesIn(ocsp) })
  }
  return {
    anchors,
    candidates,
    ofConstancias: anchors.filter(givesConstancias),
    responders: knownResponders(candidates),
  }
}
