import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import type { RevocationQuestion } from '#server/domain/revocation/question.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

export type SignersRevocation =
  | { status: 'good' | 'unknown' }
  | { status: 'revoked'; revokedAt: Instant }

type Judging = Pick<RevocationQuestion, 'candidates' | 'at'> &
  Partial<Pick<RevocationQuestion, 'evidence'>>

const NO_EVIDENCE = { ocsp: [], crls: [] }

/**
 * Whether the certificate of a signer was revoked, by the answers at hand.
 *
 * @param path from the signer to the anchor
 */
export function signersRevocation(
  [certificate, issuer]: readonly Certificate[],
  { evidence = NO_EVIDENCE, candidates, at }: Judging,
): SignersRevocation {
  if (!certificate || !issuer) return { status: 'unknown' }
  const question = { certificate, issuer, evidence, candidates, at, now: at }
  const { status, revokedAt } = judgeRevocation(question)
  if (status !== 'revoked') return { status }
  return { status, revokedAt: revokedAt ?? at }
}
