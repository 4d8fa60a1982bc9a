import type { Instant } from '#server/domain/time.ts'
import { CURRENT_ALGORITHMS, isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import type { DigestName } from '#server/domain/trust/digest-algorithm.ts'
import type { SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { VerificationPolicy } from './verification-policy.ts'

/** Whether one of the algorithms was already weak at `at`: of a signature, or of a digest with known collisions. */
export function isWeakAt(
  used: {
    signatures: readonly (SignatureFacts | undefined)[]
    digests: readonly (DigestName | undefined)[]
  },
  at: Instant,
  { algorithms = CURRENT_ALGORITHMS }: VerificationPolicy,
): boolean {
  const isPast = (digest: DigestName) => {
    const until = algorithms.digests[digest]
    return until === undefined || (until !== null && until < at)
  }
  return (
    used.digests.some((digest) => digest !== undefined && isPast(digest)) ||
    used.signatures.some((facts) => facts !== undefined && !isStrongAt(facts, at, algorithms))
  )
}
