import type { Day } from '#server/domain/day.ts'
import type { AccessCounts } from './access-counts.ts'
import type { ActCounts } from './act-counts.ts'
import type { ActivityCounts } from './activity-counts.ts'
import type { CertificateCounts } from './certificate-counts.ts'
import type { ConstanciaCounts } from './constancia-counts.ts'
import type { DocumentCounts } from './document-counts.ts'
import type { NumberCounts } from './number-counts.ts'
import type { CountedKind } from './report-kind.ts'
import type { SigningTimes } from './signing-times.ts'

/** What each report keeps while it counts: plain values, which go on counting after they were written and read as JSON. */
export type CountsOf = {
  documents: DocumentCounts
  acts: ActCounts
  times: SigningTimes
  activity: ActivityCounts
  accesses: AccessCounts
  certificates: CertificateCounts
  numbers: NumberCounts
  constancias: ConstanciaCounts
}

/** The first and the last day. */
export type Period = { from: Day; to: Day }

/** A finished count. */
export type Counted = { [K in CountedKind]: { kind: K; counts: CountsOf[K] } }[CountedKind]
