import type { ReactNode } from 'react'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'
import { documentKinds } from '#server/words/documents.ts'
import css from './document-filter-fields.module.css'
import { type Uploaders, withAsked } from './document-filters.ts'

type Props = {
  filters: DocumentFilters
  people: Uploaders
  /** Further fields. */
  children?: ReactNode
}

/** The fields that filter documents: kind, who uploaded them, first and last day. */
export function DocumentFilterFields({ filters, people, children }: Props) {
  const { kind, by, from, to } = filters
  const kinds = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))
  return (
    <div className={css.filters}>
      <SelectField
        id="filter-kind"
        name="kind"
        label="Tipo"
        data={[{ value: '', label: 'Todos' }, ...kinds]}
        defaultValue={kind ?? ''}
      />
      <SelectField
        id="filter-by"
        name="by"
        label="Subido por"
        data={[{ value: '', label: 'Cualquier persona' }, ...withAsked(people, by)]}
        defaultValue={by ?? ''}
      />
      <TextField
        id="filter-from"
        name="from"
        type="date"
        label="Subido desde"
        defaultValue={from ?? ''}
      />
      <TextField
        id="filter-to"
        name="to"
        type="date"
        label="Subido hasta"
        defaultValue={to ?? ''}
      />
      {children}
    </div>
  )
}
