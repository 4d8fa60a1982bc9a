import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { RevocationJudgement } from '#server/domain/revocation/question.ts'
import type { Instant } from '#server/domain/time.ts'
import { namesPlaceToAsk } from '#server/domain/trust/named-addresses.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { type Circumstances, revocationOf } from './circumstances.ts'

export type PathRevocation = {
  /** Of the first certificate of the path. */
  leaf: RevocationJudgement
  /** The first authority on the path whose certificate was revoked by then. */
  revokedAuthority: Certificate | undefined
  /** The first authority that is trusted by no decision, names a place to ask, and about which nothing is known. */
  unknownAuthority: Certificate | undefined
}

/**
 * Whether a certificate on the path was revoked at `at`. The anchor is trusted by decision and cannot be revoked.
 * Intermediate authorities that the office imported are believed until an answer says otherwise; those embedded in
 * a file need an answer if they name a place to ask.
 *
 * @param earlier of a certificate about which nothing is known at `at`, what was known at this time counts
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6; RFC 5280, 6.3
 */
export function revocationOnPath(
  path: readonly Certificate[],
  at: Instant,
  circumstances: Circumstances,
  earlier: Instant = at,
): PathRevocation {
  const [leaf, ...above] = path
  const judgementOf = (certificate: Certificate, issuers: readonly Certificate[]) => {
    const judgement = revocationOf(certificate, issuers, at, circumstances)
    if (judgement.status !== 'unknown' || earlier === at) return judgement
    return revocationOf(certificate, issuers, earlier, circumstances)
  }
  const between = above.slice(0, -1).map((authority, index) => ({
    authority,
    status: judgementOf(authority, above.slice(index + 1)).status,
  }))
  const isFromFile = ({ der }: Certificate) =>
    !circumstances.policy.candidates.some((known) => areEqual(known.der, der))
  return {
    leaf: judgementOf(leaf as Certificate, above),
    revokedAuthority: between.find(({ status }) => status === 'revoked')?.authority,
    unknownAuthority: between.find(
      ({ authority, status }) =>
        status === 'unknown' && isFromFile(authority) && namesPlaceToAsk(authority),
    )?.authority,
  }
}
