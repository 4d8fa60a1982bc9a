import { CURRENT_ALGORITHMS, isStrongAt } from '../certificates/algorithm-policy.ts'
import type { DigestName } from '../certificates/digest-algorithm.ts'
import type { SignatureFacts } from '../certificates/signature-algorithm.ts'
import type { Instant } from '../time.ts'
import type { VerificationPolicy } from './verification-policy.ts'

/** Whether something of this proved nothing at `at`: a signature, or a digest that somebody could collide. */
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
