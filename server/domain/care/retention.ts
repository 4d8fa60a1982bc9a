import { z } from 'zod'
import type { Document, DocumentState } from '#server/domain/documents/document.ts'
import { line } from '#server/domain/identity/text.ts'
import { DocumentId, OfficeId, UserId } from '#server/domain/ids.ts'
import { after, before, days, Instant } from '#server/domain/time.ts'

/**
 * The kinds that an office may let go. All others are instruments and what is made of them: the notarial law keeps them, and they are
 * never proposed.
 */
export const RetainedKind = z.enum([
  'simple-copy',
  'letter',
  'contract',
  'notice',
  'draft',
  'other',
])
export type RetainedKind = z.infer<typeof RetainedKind>

/** How long documents of a kind are kept after they ended. */
export const RetentionTerm = z.object({
  kind: RetainedKind,
  /** Null: for ever. */
  years: z.int().min(1).max(50).nullable(),
  /** For how long they are blocked before they may be destroyed. */
  blockDays: z.int().min(1).max(3650),
  /** The law that says so, or the decision of the office. */
  source: line(300),
})
export type RetentionTerm = z.infer<typeof RetentionTerm>

export const RetentionState = z.enum(['proposed', 'postponed', 'blocked', 'destroyed'])
export type RetentionState = z.infer<typeof RetentionState>

/** A document whose term is over. */
export const RetentionItem = z.object({
  documentId: DocumentId,
  officeId: OfficeId,
  state: RetentionState,
  since: Instant,
  /** Null for a job. */
  by: UserId.nullable(),
  reason: z.string().nullable(),
  /** The end of a postponement, or of the block; null for other states. */
  until: Instant.nullable(),
})
export type RetentionItem = z.infer<typeof RetentionItem>

/** The states in which nothing more happens. A document that was signed by all once is `signed` again when a further session ends. */
const OVER: readonly DocumentState[] = ['rejected', 'cancelled']

/**
 * Whether a document may be proposed: it is over, was never signed by all, has a kind that the office may let go and no number of the
 * protocol. A document that everybody signed stays: its public page judges its file.
 */
export const isRetainable = ({
  state,
  kind,
  instrument,
  purged,
  blockedAt,
}: Pick<Document, 'state' | 'kind' | 'instrument' | 'purged' | 'blockedAt'>): boolean =>
  OVER.includes(state) &&
  RetainedKind.safeParse(kind).success &&
  instrument === null &&
  purged === null &&
  blockedAt === null

/** Of what ended before this, the term is over. A year has 366 days: no document is proposed too early. */
export const endedBefore = (years: number, now: Instant): Instant => before(now, days(366 * years))

/** Whether its time as a blocked document is over. */
export const mayBeDestroyed = ({ state, until }: RetentionItem, now: Instant): boolean =>
  state === 'blocked' && until !== null && until <= now

/** The end of a block that begins now. */
export const endOfBlock = (
  { blockDays }: Pick<RetentionTerm, 'blockDays'>,
  now: Instant,
): Instant => after(now, days(blockDays))
