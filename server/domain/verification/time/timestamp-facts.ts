import { toTimestamp } from '#server/domain/time.ts'
import type { TimestampFacts } from '#server/domain/verification/report.ts'
import type { FileTimeStamp, SignatureTime } from './judge-time.ts'

/** What the report tells of each timestamp of a signature, or of a document timestamp itself. */
export const timestampFactsOf = ({ own, stamps, beside }: SignatureTime): TimestampFacts[] =>
  [own, ...stamps, beside].filter((stamp) => stamp !== undefined).map(factsOf)

const factsOf = ({ judgement }: FileTimeStamp): TimestampFacts => ({
  kind: judgement.kind,
  valid: judgement.isValid,
  time: judgement.time === undefined ? null : toTimestamp(judgement.time),
  authority: judgement.authority,
  vouched: judgement.isVouched,
  trusted: judgement.isProof,
  reason: judgement.reason,
})
