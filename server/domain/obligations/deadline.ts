import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { line } from '#server/domain/identity/text.ts'
import { DeadlineId, DocumentId, ObligationId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Month } from '#server/domain/reports/month.ts'
import { Instant } from '#server/domain/time.ts'
import type { Obligation } from './obligation.ts'

/** `withdrawn`: the obligation was switched off, or applies no more. */
export const DeadlineState = z.enum(['open', 'done', 'not-applicable', 'withdrawn'])
export type DeadlineState = z.infer<typeof DeadlineState>

export const DeadlineNote = line(300)
export const Acknowledgement = line(80)

/** An obligation with its last day: of a document, or of a month. */
export const Deadline = z.object({
  id: DeadlineId,
  officeId: OfficeId,
  obligationId: ObligationId,
  /** What it is about. */
  about: z.discriminatedUnion('kind', [
    /** `base`: the day from which the term is counted. */
    z.object({ kind: z.literal('document'), documentId: DocumentId, base: Day }),
    z.object({ kind: z.literal('month'), period: Month }),
  ]),
  dueOn: Day,
  state: DeadlineState,
  stateSince: Instant,
  /** Null if no user did it. */
  stateBy: UserId.nullable(),
  /** When it was done, as a user says; null unless it is done. */
  doneOn: Day.nullable(),
  /** Of a done one, or why it does not apply. */
  note: line(300).nullable(),
  /** Of the acknowledgement that an authority gave. */
  acknowledgement: line(80).nullable(),
  /** When the next notice is raised; null if none is. */
  noticeOn: Day.nullable(),
  /** The beginning of the occasions of its last alert, which it may share with others. */
  alert: z.string().nullable(),
})
export type Deadline = z.infer<typeof Deadline>

/** A deadline with what it is of. */
export type NamedDeadline = {
  deadline: Deadline
  obligation: Obligation
  /** Folio and kind say enough in a list; undefined for that of a month. */
  document: Pick<Document, 'id' | 'folio' | 'kind'> | undefined
}
