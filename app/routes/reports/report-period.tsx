import { Form } from 'react-router'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import css from './reports.module.css'

/** The days of a report. */
export function ReportPeriod({ period: { from, to } }: { period: { from: string; to: string } }) {
  return (
    <Form method="get" className={css.filter} key={`${from} ${to}`}>
      <TextField name="from" type="date" label="Desde" defaultValue={from} required={false} />
      <TextField name="to" type="date" label="Hasta" defaultValue={to} required={false} />
      <SubmitButton variant="default">Ver</SubmitButton>
    </Form>
  )
}
