import { Form } from 'react-router'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import css from './list.module.css'

type Asked = {
  series: string
  show?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Filters lines by the days on which they got their state. */
export function PeriodFilter({ asked: { series, show, from, to } }: { asked: Asked }) {
  if (show === 'texts') return null
  return (
    <Form method="get" className={css.period} key={`${series} ${show} ${from} ${to}`}>
      <input type="hidden" name="series" value={series} />
      {show && <input type="hidden" name="show" value={show} />}
      <TextField name="from" type="date" label="Anotados desde" defaultValue={from ?? ''} />
      <TextField name="to" type="date" label="Anotados hasta" defaultValue={to ?? ''} />
      <SubmitButton variant="default">Filtrar</SubmitButton>
    </Form>
  )
}
