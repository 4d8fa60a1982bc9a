import type { DraftFilters } from './draft-filters.ts'

export type DraftPeople = readonly { value: string; label: string }[]

/** The users of the office whose drafts can be asked for, the user who asks first. */
export const draftPeople = (colleagues: DraftPeople, own: string): DraftPeople => [
  { value: own, label: 'Mí' },
  ...colleagues.filter(({ value }) => value !== own),
]

export const isFiltered = (filters: DraftFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)

/** Says that a page of a search has no draft to add. */
export function noDraftsText(page: {
  text: string
  filters: DraftFilters
  wasCutShort: boolean
}): string {
  if (page.wasCutShort) return 'Ningún otro entre los borradores más recientes.'
  return page.text === '' && !isFiltered(page.filters)
    ? 'No hay más borradores.'
    : 'Ningún otro borrador coincide.'
}
