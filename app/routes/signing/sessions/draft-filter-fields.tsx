import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { documentKinds } from '#server/words/documents.ts'
import css from './draft-filter-fields.module.css'
import type { DraftFilters } from './draft-filters.ts'
import type { DraftPeople } from './draft-search.ts'

type Props = {
  filters: DraftFilters
  people: DraftPeople
}

/** The fields that filter drafts: kind, who uploaded them, first and last day. */
export function DraftFilterFields({ filters: { kind, by, from, to }, people }: Props) {
  const kinds = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))
  const isKnown = by === undefined || people.some(({ value }) => value === by)
  const others = isKnown ? people : [...people, { value: by, label: 'Otra persona' }]
  return (
    <div className={css.filters}>
      <SelectField
        id="draft-kind"
        name="kind"
        label="Tipo"
        data={[{ value: '', label: 'Todos' }, ...kinds]}
        defaultValue={kind ?? ''}
      />
      <SelectField
        id="draft-by"
        name="by"
        label="Subido por"
        data={[{ value: '', label: 'Cualquier persona' }, ...others]}
        defaultValue={by ?? ''}
      />
      <TextField
        id="draft-from"
        name="from"
        type="date"
        label="Subido desde"
        defaultValue={from ?? ''}
      />
      <TextField id="draft-to" name="to" type="date" label="Subido hasta" defaultValue={to ?? ''} />
    </div>
  )
}
