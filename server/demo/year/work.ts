import type { SampleSigner } from '#server/demo/asked-signer.ts'
import type { SampleDeed } from '#server/demo/sample-deed.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A document of the year. */
export type PlannedDocument = {
  /** Names it in the plan. */
  place: number
  deed: SampleDeed
  /** Slug of who uploads it. */
  by: string
  /** No two documents have the same; finds it again after an interrupted start. */
  uploadedAt: Instant
}

export type PlannedSession = {
  /** A UUID: made once, however often it is asked for. */
  once: string
  message: string | null
  deadline: Instant | null
  signers: readonly SampleSigner[]
}

/** What a user does with a document; each writes one event, or several in one transaction. */
export type DocumentWork =
  | { kind: 'upload' }
  | { kind: 'create-session'; session: PlannedSession }
  | { kind: 'open-session' }
  | { kind: 'prepare-signature' }
  | { kind: 'complete-signature' }
  | { kind: 'archive' }
  | { kind: 'issue-constancia' }
  | { kind: 'reject'; reason: string }
  | { kind: 'note-rejection' }
  | { kind: 'cancel-session'; reason: string }
  | { kind: 'expire-session' }
  | { kind: 'cancel'; reason: string }
  | { kind: 'record-copy'; once: string; recipient: string; sheets: number }
  | { kind: 'add-list'; act: string }
  | { kind: 'tick'; act: string; position: number }
  | { kind: 'verify-in-public'; ip: string }

/** What concerns the whole office. */
export type OfficeWork =
  | { kind: 'start-numbers'; instrument: number; collation: number }
  | { kind: 'reserve-number'; once: string; note: string }
  | { kind: 'explain-number'; seriesId: NumberSeriesId; number: number; reason: string }
  | { kind: 'skip-number'; next: number }
  | { kind: 'watch' }
  | { kind: 'suspend'; slug: string; reason: string }
  | { kind: 'invite' }
  | { kind: 'empty-outbox' }

/**
 * One step of the year, at its instant. No two have the same instant. `by` is the slug of the user who does it; jobs and the
 * public ignore it.
 */
export type Task = { at: Instant; by: string } & (
  | { document: PlannedDocument; work: DocumentWork }
  | { document: null; work: OfficeWork }
)

/** The year of a demo office. */
export type Year = {
  /** When the office was made. */
  begin: Instant
  /** In order of time. */
  tasks: readonly Task[]
  documents: readonly PlannedDocument[]
}
