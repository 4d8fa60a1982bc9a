import type { Document, DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Counts, countOne } from './counts.ts'
import type { Month } from './month.ts'

export type CountedDocument = Pick<Document, 'kind' | 'state'> & { uploadedAt: Instant }

/** How many documents were uploaded in a period. */
export type DocumentCounts = {
  kinds: Partial<Record<DocumentKind, Counts<DocumentState>>>
  months: Counts<Month>
}

export const noDocuments = (): DocumentCounts => ({ kinds: {}, months: {} })

export function countDocument(
  counts: DocumentCounts,
  { kind, state, uploadedAt }: CountedDocument,
  monthOf: (at: Instant) => Month,
): void {
  counts.kinds[kind] ??= {}
  countOne(counts.kinds[kind], state)
  countOne(counts.months, monthOf(uploadedAt))
}
