import { earliest } from '#server/domain/time.ts'
import { acceptTimeStamp } from '#server/domain/timestamp/time-stamp-request.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { StampAnswer, StampOutcome } from '#server/ports/timestamp-authorities.ts'

/** Whether an authority's answer is the timestamp that was requested, under an anchor of the policy. */
export function acceptStamp(
  { answer, request, now }: StampAnswer,
  policy: VerificationPolicy,
): StampOutcome {
  const accepted = acceptTimeStamp(answer, request, {
    anchors: [...(policy.timestampAnchors ?? []), ...policy.anchors],
    candidates: policy.candidates,
    now,
  })
  if (accepted.kind === 'refused') return accepted
  const { token, time, path } = accepted
  const [first, ...above] = path.map(({ notAfter }) => notAfter)
  if (first === undefined) throw new Error('a path without certificates')
  return { kind: 'accepted', token: token.slice(), time, pathEnds: earliest(first, ...above) }
}
