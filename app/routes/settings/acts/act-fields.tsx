import type { FormErrors } from '#app/http/forms.ts'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { electronicAnswers } from '#server/words/acts.ts'
import { rowsOfRoles } from './act-rows.ts'
import css from './acts.module.css'

type Props = {
  values: Record<string, string>
  errors: FormErrors | undefined
  entity: string
  rows: number
}

const NOTARY = [
  { value: 'signs', label: 'Sí, en su calidad vigente ese día' },
  { value: 'absent', label: 'No: es un acto privado' },
]

const ANSWERS = (['unknown', 'yes', 'no'] as const).map((value) => ({
  value,
  label: electronicAnswers[value],
}))

/** What an administrator writes about an act. */
export function ActFields({ values, errors, entity, rows }: Props) {
  const field = (name: string, without = '') => ({
    name,
    defaultValue: values[name] ?? without,
    errors: errors?.[name],
    autoComplete: 'off',
  })
  return (
    <>
      <TextField {...field('name')} label="Nombre del acto" required maxLength={80} />
      <fieldset className={folds.choices}>
        <legend>Quiénes firman como partes</legend>
        <p className={css.quiet}>
          Un carácter por renglón, con cuántas personas firman al menos y cuántas como máximo. Con 0
          al menos, no se propone al hacer la sesión. Deje en blanco los renglones que sobren.
        </p>
        {rowsOfRoles(rows).map((row) => (
          <div key={row.number} className={css.role}>
            <TextField {...field(row.character)} label={`Carácter ${row.number}`} maxLength={80} />
            <TextField
              {...field(row.least, '1')}
              label="Al menos"
              inputMode="numeric"
              maxLength={2}
            />
            <TextField {...field(row.most, '1')} label="Máximo" inputMode="numeric" maxLength={2} />
          </div>
        ))}
      </fieldset>
      <SelectField {...field('notary')} label="¿Firma un notario?" data={NOTARY} />
      <SelectField
        {...field('answer')}
        label={`¿Puede firmarse electrónicamente en ${entity}?`}
        help="Lo decide la ley del notariado de cada entidad, y cambia. Mientras no sea “Sí”, la hoja de firmas y las páginas dicen “No sustituye la firma en el protocolo”."
        data={ANSWERS}
      />
      <TextField
        {...field('source')}
        label="Fuente"
        help="Ley, artículo y fecha de su última reforma, o el criterio de la autoridad."
        maxLength={300}
      />
      <TextField {...field('day')} type="date" label="Consultada el" />
    </>
  )
}
