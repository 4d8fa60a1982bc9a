import { DocumentFilterFields } from '#app/ui/document/document-filter-fields.tsx'
import { type Uploaders, withAsked } from '#app/ui/document/document-filters.ts'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { documentOrders } from '#server/words/document-list.ts'
import type { Asked } from './list-address.ts'

type Props = { asked: Asked; people: Uploaders }

/** The fields that say what the list shows, and in which order. */
export function ListFields({ asked, people }: Props) {
  const { signer, order = 'newest' } = asked
  return (
    <DocumentFilterFields filters={asked} people={people}>
      <SelectField
        id="filter-signer"
        name="signer"
        label="Firmante"
        data={[{ value: '', label: 'Cualquier persona' }, ...withAsked(people, signer)]}
        defaultValue={signer ?? ''}
      />
      <SelectField
        id="list-order"
        name="order"
        label="Orden"
        data={Object.entries(documentOrders).map(([value, label]) => ({ value, label }))}
        defaultValue={order}
      />
    </DocumentFilterFields>
  )
}
