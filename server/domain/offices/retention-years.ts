import { z } from 'zod'
import { DocumentKind } from '#server/domain/documents/document.ts'
import { RetentionTerm } from '#server/domain/identity/office.ts'

/** Kinds of the protocol, which an office keeps in custody and never destroys by itself. */
export const KEPT_FOR_EVER: readonly DocumentKind[] = ['deed', 'act', 'appendix', 'will']

export const KINDS_WITH_TERM: readonly DocumentKind[] = DocumentKind.options.filter(
  (kind) => !KEPT_FOR_EVER.includes(kind),
)

/** For how many years the documents of each kind are kept; a kind without a number is kept for ever. */
export const RetentionYears = z
  .partialRecord(DocumentKind, RetentionTerm)
  .refine((years) => KEPT_FOR_EVER.every((kind) => years[kind] === undefined), 'kept for ever')
export type RetentionYears = z.infer<typeof RetentionYears>
