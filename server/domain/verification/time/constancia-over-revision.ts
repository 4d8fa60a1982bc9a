import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { constanciaHeadline } from '#server/domain/verification/codes/constancia-codes.ts'
import { digestRanges } from '#server/domain/verification/digests.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import { imprintOfConstancia, judgeConstancia } from './judge-constancia.ts'

/** Each costs a copy of a running digest; honest files have a handful. */
const MOST_REVISIONS = 64

/**
 * What a constancia says about the file as it was before revisions were added to it: proofs for the long term
 * are renewed, a constancia is not. Undefined when it is over none of its revisions.
 *
 * @param bytes of a constancia that is not over the whole file
 */
export function constanciaOverRevision(
  { source, revisions, isRebuilt }: PdfDocument,
  bytes: Uint8Array,
  policy: VerificationPolicy,
): ConstanciaReport | undefined {
  const imprint = imprintOfConstancia(bytes)
  if (!imprint || isRebuilt) return undefined
  const known = revisions.slice(-MOST_REVISIONS).flatMap(({ end, markerEnd }) => [end, markerEnd])
  const ends = [...new Set(known)].filter((end) => end < source.length)
  const { ranges } = digestRanges(
    source,
    ends.map((end) => ({ algorithm: 'sha256', byteRange: [0, end, end, 0] })),
  )
  const revisionBytes = ends[ranges.findIndex((digest) => areEqual(digest, imprint))]
  if (revisionBytes === undefined) return undefined
  const report = { ...judgeConstancia(bytes, imprint, policy), matches: false, revisionBytes }
  if (report.verdict !== 'VALID') return report
  const kind = report.kind === 'timestamp' ? 'timestamp' : 'constancia'
  const headline = constanciaHeadline('earlier-revision-existed', { kind, bytes: revisionBytes })
  return { ...report, verdict: 'EARLIER_REVISION', headline }
}
