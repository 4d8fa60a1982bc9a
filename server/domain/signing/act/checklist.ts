import { z } from 'zod'
import { line, searchable } from '#server/domain/identity/text.ts'
import { ActId, DocumentId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

export const MOST_ITEMS = 25

/** Lists of one document: an instrument with more acts is rare. */
export const MOST_LISTS = 6

/** Something to check before the signatures, or to do after them. */
export const ChecklistItem = z.object({
  text: line(160),
  phase: z.enum(['before', 'after']),
  need: z.enum(['required', 'optional']),
})
export type ChecklistItem = z.infer<typeof ChecklistItem>

export const ChecklistItems = z
  .array(ChecklistItem)
  .max(MOST_ITEMS)
  .refine(
    (items) => new Set(items.map(({ text }) => searchable(text))).size === items.length,
    'an item twice',
  )

/** What an office checks for an act. Documents have copies: later changes do not reach them. */
export const Checklist = z.object({
  officeId: OfficeId,
  actId: ActId,
  items: z.array(ChecklistItem),
  /** Null for a list of the program, which the office has not saved as its own. */
  at: Instant.nullable(),
})
export type Checklist = z.infer<typeof Checklist>

export const CheckNote = line(200)

/** An item of the list of a document. */
export const DocumentCheck = ChecklistItem.extend({
  documentId: DocumentId,
  actId: ActId,
  /** As the act was called when the list was added. */
  actName: line(80),
  /** Counts from 1 in each list. */
  position: z.int().positive(),
  state: z.enum(['open', 'done']),
  note: CheckNote.nullable(),
  /** When it got its state, and by which user. */
  at: Instant,
  by: UserId,
})
export type DocumentCheck = z.infer<typeof DocumentCheck>

/** Whether it should be done before the document is sent to be signed. */
const isDueBeforeSigning = ({ state, phase, need }: DocumentCheck): boolean =>
  state === 'open' && phase === 'before' && need === 'required'

export type OpenChecks = { act: string; count: number }

/** How many items each list of a document still lacks before it is sent to be signed; lists that lack none are absent. */
export function openBeforeSigning(checks: readonly DocumentCheck[]): OpenChecks[] {
  const open = checks.filter(isDueBeforeSigning)
  return [...Map.groupBy(open, ({ actId }) => actId).values()].map((items) => ({
    act: items[0]?.actName ?? '',
    count: items.length,
  }))
}
