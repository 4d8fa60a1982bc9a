import { z } from 'zod'
import { DerError } from '#server/domain/asn1/der.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { WebAddress } from '#server/domain/web-address.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { isAuthorityForTesting } from './authorities-for-testing.ts'
import { isSelfSigned } from './issued-by.ts'
import {
  givesConstancias,
  knownResponders,
  LISTS_OF,
  OCSP_OF,
  pinOf,
} from './mexican-authorities.ts'
import { isAddressOfList } from './named-addresses.ts'
import type { TrustAnchor, TrustedResponder } from './trust-anchor.ts'

/**
 * `pinned`: its fingerprint is a fact of the program; `accepted`: an administrator decided to trust it; `offered`:
 * found in a file and not trusted; `removed`: an administrator decided to trust it no longer.
 */
export const AuthorityState = z.enum(['pinned', 'accepted', 'offered', 'removed'])
export type AuthorityState = z.infer<typeof AuthorityState>

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
  certificate: Certificate,
  known: Pick<KnownAuthority, 'state'> | undefined,
  { isDemo }: { isDemo: boolean },
): ImportOutcome {
  if (!isDemo && isAuthorityForTesting(certificate)) return 'for-testing'
  if (pinOf(certificate)) return known?.state === 'pinned' ? 'known' : 'pinned'
  if (!mayIssue(certificate)) return 'no-authority'
  return known && known.state !== 'removed' ? 'known' : 'offered'
}

function mayIssue(certificate: Certificate): boolean {
  try {
    const constraints = basicConstraintsOf(certificate)
    return constraints ? constraints.isAuthority : isSelfSigned(certificate)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** The authority as an import leaves it. */
export function importedAuthority(
  certificate: Certificate,
  outcome: 'pinned' | 'offered',
  made: Pick<KnownAuthority, 'since' | 'by'>,
): KnownAuthority {
  const pin = outcome === 'pinned' ? pinOf(certificate) : undefined
  return {
    sha256: sha256(certificate.der),
    certificate,
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
