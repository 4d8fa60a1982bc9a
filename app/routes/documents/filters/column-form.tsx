import { Form } from 'react-router'
import { USUAL_COLUMNS } from '#app/ui/document/usual-columns.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { KeptFields } from '#app/ui/lists/kept-fields.tsx'
import type { DocumentColumn } from '#server/domain/documents/document-list.ts'
import { documentColumns } from '#server/words/document-list.ts'
import css from './column-form.module.css'
import type { Asked } from './list-address.ts'

const COLUMNS = Object.keys(documentColumns) as DocumentColumn[]

/** Chooses the columns of the list, which is otherwise the same. */
export function ColumnForm({ asked: { columns = USUAL_COLUMNS, ...kept } }: { asked: Asked }) {
  return (
    <details className={css.fold}>
      <summary>Columnas</summary>
      <Form method="get" className={css.form}>
        <KeptFields fields={kept} />
        <fieldset>
          <legend className="visually-hidden">Columnas de la lista</legend>
          {COLUMNS.map((column) => (
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
        </fieldset>
        <SubmitButton variant="default" size="xs">
          Mostrar
        </SubmitButton>
      </Form>
    </details>
  )
}
