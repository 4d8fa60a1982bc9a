import { areEqual } from '#server/domain/asn1/der-values.ts'
import { namesPlaceToAsk } from '#server/domain/trust/named-addresses.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { RevocationJudgement } from '../revocation/question.ts'
import type { Instant } from '../time.ts'
import { type Circumstances, revocationOf } from './circumstances.ts'

export type PathRevocation = {
  /** Of the first certificate of the path. */
  leaf: RevocationJudgement
  /** The first authority on the path whose certificate was revoked by then. */
  revokedAuthority: Certificate | undefined
  /** The first one that nobody decided to trust, that names a place to ask, and about which nothing is known. */
  unknownAuthority: Certificate | undefined
}

/**
 * Whether somebody on the path was revoked at `at`. The anchor is trusted by decision, nobody can revoke it
 * for us. Authorities between that the office brought in are believed until an answer speaks against them; about those
 * that came with a file, and name a place to ask, something must be known.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6; RFC 5280, 6.3
 */
export function revocationOnPath(
  path: readonly Certificate[],
  at: Instant,
  circumstances: Circumstances,
): PathRevocation {
  const [leaf, ...above] = path
  const between = above.slice(0, -1).map((authority, index) => ({
    authority,
    status: revocationOf(authority, above.slice(index + 1), at, circumstances).status,
  }))
  const isFromFile = ({ der }: Certificate) =>
    !circumstances.policy.candidates.some((known) => areEqual(known.der, der))
  return {
    leaf: revocationOf(leaf as Certificate, above, at, circumstances),
    revokedAuthority: between.find(({ status }) => status === 'revoked')?.authority,
    unknownAuthority: between.find(
      ({ authority, status }) =>
        status === 'unknown' && isFromFile(authority) && namesPlaceToAsk(authority),
    )?.authority,
  }
}
