import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'

/** Users whose documents can be asked for: ids and names. */
export type Uploaders = readonly { value: string; label: string }[]

/** The users, the one who asks first. */
export const withOwnFirst = (people: Uploaders, own: string): Uploaders => [
  { value: own, label: 'Mí' },
  ...people.filter(({ value }) => value !== own),
]

/** The users, and the one who is asked for if they are not known. */
export const withAsked = (people: Uploaders, asked: string | undefined): Uploaders =>
  asked === undefined || people.some(({ value }) => value === asked)
    ? people
    : [...people, { value: asked, label: 'Otra persona' }]

export const isFiltered = (filters: DocumentFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)
