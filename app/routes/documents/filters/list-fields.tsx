import { DocumentFilterFields } from '#app/ui/document/document-filter-fields.tsx'
import type { Uploaders } from '#app/ui/document/document-filters.ts'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { DocumentColumn, USUAL_COLUMNS } from '#server/domain/documents/document-list.ts'
import { documentColumns, documentOrders } from '#server/words/document-list.ts'
import type { Asked } from './list-address.ts'
import css from './list-fields.module.css'

type Props = { asked: Asked; people: Uploaders }

/** The fields that say what the list shows, and how. */
export function ListFields({ asked, people }: Props) {
  const { signer, order = 'newest', columns = USUAL_COLUMNS } = asked
  const isKnown = signer === undefined || people.some(({ value }) => value === signer)
  const signers = isKnown ? people : [...people, { value: signer, label: 'Otra persona' }]
  return (
    <div className={css.fields}>
      <DocumentFilterFields filters={asked} people={people}>
        <SelectField
          id="filter-signer"
          name="signer"
          label="Firmante"
          data={[{ value: '', label: 'Cualquier persona' }, ...signers]}
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
      <details className={css.columns}>
        <summary>Columnas</summary>
        <fieldset>
          <legend className="visually-hidden">Columnas de la lista</legend>
          {DocumentColumn.options.map((column) => (
            <label key={column}>
              <input
                type="checkbox"
                name="columns"
                value={column}
                defaultChecked={columns.includes(column)}
              />
              {documentColumns[column]}
            </label>
          ))}
          <SubmitButton variant="default">Mostrar</SubmitButton>
        </fieldset>
      </details>
    </div>
  )
}
