import { Form } from 'react-router'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import css from './versions.module.css'
import type { VersionView } from './versions-view.ts'

/** Chooses the two versions; the address has them. */
export function CompareForm({
  versions,
  from,
  to,
}: {
  versions: readonly VersionView[]
  from: number
  to: number
}) {
  const data = versions.map(({ version, name }) => ({ value: String(version), label: name }))
  return (
    <Form method="get" className={css.compare} key={`${from} ${to}`}>
      <SelectField name="from" label="Versión anterior" data={data} defaultValue={String(from)} />
      <SelectField name="to" label="Versión nueva" data={data} defaultValue={String(to)} />
      <SubmitButton variant="default">Comparar el texto</SubmitButton>
    </Form>
  )
}
