import type { Document } from '#server/domain/documents/document.ts'
import { formatDay } from '#server/domain/time.ts'

/** What a list shows of a document, with its day where the office is. */
export function documentRow(document: Document, timeZone: string) {
  const { id, folio, title, state, kind, createdAt } = document
  return { id, folio, title, state, kind, createdAt, created: formatDay(createdAt, timeZone) }
}
