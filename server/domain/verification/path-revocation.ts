import { sha256 } from '../crypto/sha256.ts'
import type { Certificate } from '../efirma/certificate.ts'
import type { RevocationEvidence } from '../revocation/evidence.ts'
import { judgeRevocation } from '../revocation/judge-revocation.ts'
import type { RevocationJudgement } from '../revocation/question.ts'
import type { Instant } from '../time.ts'
import type { VerificationPolicy } from './verification-policy.ts'

/** What is at hand when somebody's certificate is judged: the policy, and what the file brings along. */
export type Circumstances = {
  policy: VerificationPolicy
  /** Certificates that may stand between a signer and an anchor, or have signed an answer. */
  candidates: readonly Certificate[]
  evidence: RevocationEvidence
  /** Judgements by certificate, issuer and time: signatures of one file share most of them. */
  known: Map<string, RevocationJudgement>
}

export type PathRevocation = {
  /** Of the first certificate of the path. */
  leaf: RevocationJudgement
  /** The first authority on the path whose certificate was revoked by then. */
  revokedAuthority: Certificate | undefined
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
 * Whether somebody on the path was revoked at `at`. The anchor is trusted by decision, nobody can revoke it
 * for us; authorities between are believed until an answer speaks against them, because most have no place to
 * ask.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6; RFC 5280, 6.3
 */
export function revocationOnPath(
  path: readonly Certificate[],
  at: Instant,
  circumstances: Circumstances,
): PathRevocation {
  const judged = path.slice(0, -1).map((certificate, index) => ({
    certificate,
    judgement: judgedOnce(certificate, path.slice(index + 1), at, circumstances),
  }))
  const [leaf, ...authorities] = judged
  return {
    leaf: leaf?.judgement ?? NOT_ASKED,
    revokedAuthority: authorities.find(({ judgement }) => judgement.status === 'revoked')
      ?.certificate,
  }
}

/** @param above the issuer of `certificate`, and whoever stands above it */
export function judgedOnce(
  certificate: Certificate,
  above: readonly Certificate[],
  at: Instant,
  { policy, candidates, evidence, known }: Circumstances,
): RevocationJudgement {
  const [issuer, parent] = above
  if (!issuer || evidence.ocsp.length + evidence.crls.length === 0) return NOT_ASKED
  const id = [at, ...[certificate, issuer].map(({ der }) => sha256(der))].join(' ')
  const judgement =
    known.get(id) ??
    judgeRevocation({
      certificate,
      issuer,
      ...(parent && { parent }),
      evidence,
      candidates,
      at,
      now: policy.at,
      ...(policy.tolerance !== undefined && { tolerance: policy.tolerance }),
      ...(policy.algorithms && { algorithms: policy.algorithms }),
    })
  known.set(id, judgement)
  return judgement
}
