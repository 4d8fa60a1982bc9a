import type { FormErrors } from '#app/http/forms.ts'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { documentKinds } from '#server/words/documents.ts'
import { countings, shifts } from '#server/words/obligations.ts'
import css from './obligations.module.css'

type Props = {
  values: Record<string, string>
  errors: FormErrors | undefined
  /** Undefined for a new obligation: its form asks. */
  basis: 'document' | 'month' | undefined
}

const BASES = [
  { value: 'document', label: 'Después de la firma de un documento' },
  { value: 'month', label: 'Cada mes, sobre el mes anterior' },
]
const choicesOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

const COUNT_LABELS = {
  document: 'Días después de la firma',
  month: 'Día del mes',
  asked: 'Días después de la firma, o día del mes',
} as const

/** What a user writes about an obligation. */
export function ObligationFields({ values, errors, basis }: Props) {
  const field = (name: string, without = '') => ({
    name,
    defaultValue: values[name] ?? without,
    errors: errors?.[name],
  })
  return (
    <>
      <TextField {...field('name')} label="Nombre" required maxLength={100} autoComplete="off" />
      <TextField
        {...field('channel')}
        label="Dónde se cumple (opcional)"
        help="El portal o la autoridad."
        maxLength={120}
        autoComplete="off"
      />
      {basis ? (
        <input type="hidden" name="basis" value={basis} />
      ) : (
        <SelectField {...field('basis', 'document')} label="Cuándo se causa" data={BASES} />
      )}
      <TextField
        {...field('count')}
        label={COUNT_LABELS[basis ?? 'asked']}
        inputMode="numeric"
        required
        maxLength={3}
        autoComplete="off"
      />
      {basis !== 'month' && (
        <SelectField
          {...field('counting')}
          label="Cómo se cuentan los días"
          help="No son hábiles los sábados, los domingos, los días de descanso federales y los de su lista."
          data={choicesOf(countings)}
        />
      )}
      <SelectField
        {...field('shift')}
        label="Si termina en un día que no es hábil"
        data={choicesOf(shifts)}
      />
      {basis !== 'month' && (
        <>
          <fieldset className={folds.choices}>
            <legend>Todos los documentos de estos tipos</legend>
            <div className={css.kinds}>
              {Object.entries(documentKinds).map(([kind, label]) => (
                <CheckboxField
                  key={kind}
                  name={`kind-${kind}`}
                  label={label}
                  defaultChecked={values[`kind-${kind}`] !== undefined}
                />
              ))}
            </div>
          </fieldset>
          <TextAreaField
            {...field('acts')}
            label="Y los instrumentos con estos actos"
            help="Un acto por renglón. Vale para escrituras, actas, poderes, testamentos y ratificaciones; no para copias ni testimonios."
            rows={5}
          />
        </>
      )}
      <TextField
        {...field('source')}
        label="Fuente"
        help="Ley, artículo y fecha de su última reforma, o el criterio de la autoridad."
        maxLength={300}
        autoComplete="off"
      />
      <TextField {...field('sourceDay')} type="date" label="Leída el" />
    </>
  )
}
