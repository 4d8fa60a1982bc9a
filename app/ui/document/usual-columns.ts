import type { DocumentColumn } from '#server/domain/documents/document-list.ts'

/** What lists of documents show before a reader chooses, in the order of the screen. */
export const USUAL_COLUMNS: readonly DocumentColumn[] = ['state', 'folio', 'kind', 'created']
