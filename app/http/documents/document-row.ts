import type { Document } from '#server/domain/documents/document.ts'
import { formatDay } from '#server/domain/time.ts'

/** A document as lists show it, with its date in the office's time zone. */
export function documentRow(document: Document, timeZone: string) {
  const { id, folio, title, state, kind, createdAt } = document
  return { id, folio, title, state, kind, createdAt, created: formatDay(createdAt, timeZone) }
}
