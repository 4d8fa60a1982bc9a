import { use } from 'react'
import type { FormErrors } from '#app/http/forms.ts'
import { KeptValuesContext } from '#app/ui/forms/kept-values.ts'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import css from './instrument-fields.module.css'

type Props = {
  /** "Volumen" or "Tomo", as the office's state calls it. */
  volumeName: string
  values: Record<string, string>
  errors: FormErrors | undefined
}

/** The same fields, collapsed until one has a value or an error. */
export function InstrumentFold(props: Props) {
  const { values, errors } = props
  const kept = use(KeptValuesContext)
  const isInUse = NAMES.some((name) => errors?.[name] || values[name] || kept?.get(name)?.[0])
  return (
    <details className={css.fold} open={isInUse}>
      <summary>Datos del instrumento (opcional)</summary>
      <InstrumentFields {...props} />
    </details>
  )
}

const NAMES = ['number', 'volume', 'folios', 'date', 'acts', 'parties'] as const

/** The instrument that holds the document in the protocol; every field is optional. */
export function InstrumentFields({ volumeName, values, errors }: Props) {
  const field = (name: (typeof NAMES)[number]) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <div className={css.fields}>
      <TextField
        {...field('number')}
        label="Número de escritura o acta"
        help="Como está en el protocolo, por ejemplo 45,213."
        autoComplete="off"
        maxLength={40}
      />
      <div className={css.pair}>
        <TextField {...field('volume')} label={volumeName} autoComplete="off" maxLength={40} />
        <TextField
          {...field('folios')}
          label="Folios"
          autoComplete="off"
          maxLength={60}
          placeholder="101 a 110 vuelta"
        />
      </div>
      <TextField {...field('date')} label="Fecha del instrumento" type="date" />
      <TextField
        {...field('acts')}
        label="Acto"
        help="Si son varios, todos: compraventa y apertura de crédito."
        autoComplete="off"
        maxLength={300}
      />
      <TextAreaField
        {...field('parties')}
        label="Comparecientes"
        help="Una persona por renglón, con su carácter y dos puntos: “Vendedora: María Núñez”."
        rows={4}
      />
    </div>
  )
}
