import { sha256 } from '#server/domain/crypto/sha256.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import type { RevocationJudgement } from '#server/domain/revocation/question.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import { areAuthoritiesForDocuments } from '#server/domain/trust/document-purposes.ts'
import { findPath, type PathResult } from '#server/domain/trust/path.ts'
import { type SignatureChecks, signatureChecks } from '#server/domain/trust/signature-checks.ts'
import { respondersFor, type TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { VerificationPolicy } from './verification-policy.ts'

/** The inputs for judging a certificate: the policy, and the material in the file. */
export type Circumstances = {
  policy: VerificationPolicy
  /** Certificates that may stand between a signer and an anchor, or have signed an answer. */
  candidates: readonly Certificate[]
  evidence: RevocationValues
  known: Known
}

/** What was found out already: signatures of one file share most of it, and a hostile file makes it dear. */
export type Known = {
  paths: Map<string, PathResult>
  judgements: Map<string, RevocationJudgement>
  /** The checks of issuers that remain, for all path searches together. */
  checks: SignatureChecks
}

/** Of one file. A deed with hundreds of signatures needs a few for each. */
export const MOST_CHECKS_OF_FILE = 2000

export const nothingKnown = (): Known => ({
  paths: new Map(),
  judgements: new Map(),
  checks: signatureChecks(MOST_CHECKS_OF_FILE),
})

/** The purpose of trust; each has its own anchors. */
export type Purpose = 'signing' | 'stamping' | 'constancias'

function anchorsFor(purpose: Purpose, policy: VerificationPolicy): readonly TrustAnchor[] {
  if (purpose === 'signing') return policy.anchors
  if (purpose === 'constancias') return policy.constancias?.anchors ?? []
  return [...(policy.timestampAnchors ?? []), ...policy.anchors]
}

/** The path from `leaf` to an anchor for `purpose` that held at `at`; of several one that may be used for it. */
export function pathFor(
  leaf: Certificate,
  purpose: Purpose,
  at: Instant,
  { policy, candidates, known }: Circumstances,
): PathResult {
  const id = `${purpose} ${at} ${sha256(leaf.der)}`
  const path =
    known.paths.get(id) ??
    findPath(leaf, {
      ...{ anchors: anchorsFor(purpose, policy), candidates, at },
      checks: known.checks,
      ...(purpose === 'signing' && { isPreferred: areAuthoritiesForDocuments }),
    })
  known.paths.set(id, path)
  return path
}

const NOT_ASKED: RevocationJudgement = {
  status: 'unknown',
  source: null,
  checkedAt: null,
  revokedAt: null,
  reason: null,
  why: 'no-answer',
}

/**
 * Whether `certificate` was revoked at `at`.
 *
 * @param above the issuer of `certificate` and the authorities above it; empty for an anchor
 */
export function revocationOf(
  certificate: Certificate,
  above: readonly Certificate[],
  at: Instant,
  { policy, candidates, evidence, known }: Circumstances,
): RevocationJudgement {
  const [issuer, parent] = above
  if (!issuer || evidence.ocsp.length + evidence.crls.length === 0) return NOT_ASKED
  const id = [at, ...[certificate, issuer].map(({ der }) => sha256(der))].join(' ')
  const judgement =
    known.judgements.get(id) ??
    judgeRevocation({
      certificate,
      issuer,
      ...(parent && { parent }),
      evidence,
      candidates,
      responders: respondersFor(issuer.der, policy.responders),
      at,
      now: policy.at,
      ...(policy.tolerance !== undefined && { tolerance: policy.tolerance }),
      ...(policy.algorithms && { algorithms: policy.algorithms }),
    })
  known.judgements.set(id, judgement)
  return judgement
}
