import { Form } from 'react-router'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import css from './reports.module.css'

type Props = {
  series: string
  first: number | undefined
  last: number | undefined
  from: string | undefined
  to: string | undefined
}

/** The numbers and the days of the index. */
export function IndexRange({ series, first, last, from, to }: Props) {
  return (
    <Form method="get" className={css.filter} key={`${series} ${first} ${last} ${from} ${to}`}>
      <input type="hidden" name="series" value={series} />
      <TextField
        name="first"
        label="Del número"
        inputMode="numeric"
        maxLength={12}
        defaultValue={first?.toLocaleString('es-MX') ?? ''}
      />
      <TextField
        name="last"
        label="Al número"
        inputMode="numeric"
        maxLength={12}
        defaultValue={last?.toLocaleString('es-MX') ?? ''}
      />
      <TextField name="from" type="date" label="Desde" defaultValue={from ?? ''} required={false} />
      <TextField name="to" type="date" label="Hasta" defaultValue={to ?? ''} required={false} />
      <SubmitButton variant="default">Ver</SubmitButton>
    </Form>
  )
}
