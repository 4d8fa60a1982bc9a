import { isFiltered } from '#app/ui/document/document-filters.ts'
import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'

/** Says that a page of a search has no draft to add. */
export function noDraftsText(page: {
  text: string
  filters: DocumentFilters
  wasCutShort: boolean
}): string {
  if (page.wasCutShort) return 'Ningún otro entre los borradores más recientes.'
  return page.text === '' && !isFiltered(page.filters)
    ? 'No hay más borradores.'
    : 'Ningún otro borrador coincide.'
}
