import type { Span } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Instant } from '#server/domain/time.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import { issuerOf } from '#server/domain/trust/issuer-candidates.ts'
import { namesPlaceToAsk } from '#server/domain/trust/named-addresses.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { type Circumstances, nothingKnown, revocationOf } from './circumstances.ts'
import { asAnswers, type Proofs } from './proofs.ts'
import type { SignatureReport } from './report.ts'
import { doesCover, type FileTimeStamp, type SignatureTime } from './time/judge-time.ts'

/**
 * Which baseline level a signature reaches by what stands in the file itself and holds: a timestamp that is
 * valid; certificates up to a root and answers about them; a later timestamp over all of that. Trust plays no
 * part in it.
 *
 * @param signer the certificate of a signature that is valid and bound to it
 * @see ETSI EN 319 142-1 V1.2.1, 6
 */
export function levelOf(
  signer: Certificate,
  { stamps }: SignatureTime,
  proofs: Proofs,
  circumstances: Circumstances,
): SignatureReport['level'] {
  const valid = stamps.filter(({ judgement }) => judgement.isValid)
  if (valid.length === 0) return 'B-B'
  if (proofs.ocsp.length + proofs.crls.length === 0) return 'B-T'
  const isWhole = (stamp: FileTimeStamp, material: Proofs) =>
    [signer, stamp.certificate].every(
      (one) => one && isDocumented(one, stamp.judgement.time!, withProofs(circumstances, material)),
    )
  const documented = valid.filter((stamp) => isWhole(stamp, proofs))
  if (documented.length === 0) return 'B-T'
  const isKept = documented.some((stamp) =>
    valid.some((later) => later !== stamp && isWhole(stamp, coveredBy(later, proofs))),
  )
  return isKept ? 'B-LTA' : 'B-LT'
}

/** What of the file's proofs a document timestamp is over. */
function coveredBy(stamp: FileTimeStamp, { certificates, ocsp, crls }: Proofs): Proofs {
  const isCovered = ({ place }: { place: Span }) => doesCover(stamp, place)
  return {
    certificates: certificates.filter(isCovered),
    ocsp: ocsp.filter(isCovered),
    crls: crls.filter(isCovered),
  }
}

function withProofs(circumstances: Circumstances, proofs: Proofs): Circumstances {
  const never = () => undefined
  return {
    ...circumstances,
    candidates: proofs.certificates.map(({ certificate }) => certificate),
    evidence: { ocsp: asAnswers(proofs.ocsp, never), crls: asAnswers(proofs.crls, never) },
    // What other proofs said is not what these say.
    known: nothingKnown(),
  }
}

const LONGEST_CHAIN = 10

/** Whether the proofs lead to a root, and speak of everyone on the way who can be asked about at `at`. */
function isDocumented(leaf: Certificate, at: Instant, circumstances: Circumstances): boolean {
  const chain = chainOf(leaf, circumstances)
  if (!chain) return false
  return chain.slice(0, -1).every((certificate, index) => {
    if (index > 0 && !namesPlaceToAsk(certificate)) return true
    return revocationOf(certificate, chain.slice(index + 1), at, circumstances).status !== 'unknown'
  })
}

/** Up to a root of the file or to an anchor; undefined if a certificate is missing. */
function chainOf(
  leaf: Certificate,
  { candidates, policy }: Circumstances,
): Certificate[] | undefined {
  const anchors = [...policy.anchors, ...(policy.timestampAnchors ?? [])].map(
    ({ certificate }) => certificate,
  )
  const roots = new Set(anchors.map(({ der }) => sha256(der)))
  const chain = [leaf]
  while (chain.length <= LONGEST_CHAIN) {
    const last = chain[chain.length - 1] as Certificate
    if ((chain.length > 1 && roots.has(sha256(last.der))) || isSelfSigned(last)) return chain
    const issuer = issuerOf(last, [...candidates, ...anchors])
    if (!issuer) return undefined
    chain.push(issuer)
  }
  return undefined
}
