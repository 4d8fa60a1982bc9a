import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { line, paragraphs } from '#server/domain/identity/text.ts'
import { DocumentId, IssuedCopyId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Each kind has its own ordinals: a document has a first testimony and a first certified copy. */
export const CopyKind = z.enum(['testimony', 'certified-copy', 'simple-copy', 'certification'])
export type CopyKind = z.infer<typeof CopyKind>

export const CopyMedium = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paper'), sheets: z.int().positive().max(99_999) }),
  z.object({ kind: z.literal('electronic') }),
])
export type CopyMedium = z.infer<typeof CopyMedium>

/** The person or authority that a copy was issued to. */
export const CopyRecipient = z.object({
  name: line(150),
  rfc: Rfc.nullable(),
  /** As `Comprador` or `Registro Público de la Propiedad`; null if not stated. */
  character: line(80).nullable(),
})
export type CopyRecipient = z.infer<typeof CopyRecipient>

/** What a person says about a copy. */
export const CopyFacts = z.object({
  kind: CopyKind,
  /** Which part it reproduces; null for all of it. */
  part: line(200).nullable(),
  recipient: CopyRecipient,
  medium: CopyMedium,
  /** In the office's time zone. */
  issuedOn: Day,
  note: paragraphs(500).pipe(z.string().min(1)).nullable(),
})
export type CopyFacts = z.infer<typeof CopyFacts>

/** A copy of a document that the office issued. It never changes; a mistake is cancelled, and its ordinal is not used again. */
export const IssuedCopy = CopyFacts.extend({
  id: IssuedCopyId,
  documentId: DocumentId,
  /** Among the copies of its kind of the document, from 1. */
  ordinal: z.int().positive(),
  /** The complete version of the document that was reproduced. */
  version: z.int().positive(),
  /** When it was recorded, and by which user. */
  at: Instant,
  by: UserId,
  cancelled: z.object({ at: Instant, by: UserId, reason: z.string() }).nullable(),
})
export type IssuedCopy = z.infer<typeof IssuedCopy>
