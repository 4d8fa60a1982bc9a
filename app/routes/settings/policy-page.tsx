import { Form } from 'react-router'
import type { FormErrors } from '#app/http/forms.ts'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import form from '#app/ui/form.module.css'
import { PageHead } from '#app/ui/page-head.tsx'
import { PageLink } from '#app/ui/page-link.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import css from './office.module.css'

type Props = {
  title: string
  /** What it is about, before it is decided. */
  lead: string
  /** The field of the form. */
  name: string
  label: string
  help?: string
  /** What may be decided, with its es-MX name. */
  choices: Readonly<Record<string, string>>
  decided: string
  errors?: FormErrors | undefined
}

/** One decision for the whole office: what it is about, and a list of what may be decided. */
export function PolicyPage({ title, lead, name, choices, decided, errors, ...field }: Props) {
  return (
    <>
      <PageHead
        title={title}
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <div className={css.sheets}>
        <Sheet>
          <p className={css.lead}>{lead}</p>
          <Form method="post" className={form.form}>
            <CsrfField />
            <SelectField
              name={name}
              data={optionsOf(choices, decided)}
              defaultValue={decided}
              errors={errors?.[name]}
              {...field}
            />
            <SubmitButton>Guardar</SubmitButton>
          </Form>
        </Sheet>
      </div>
    </>
  )
}

/** What was decided in another way is not changed by whoever only looks at it. */
function optionsOf(choices: Props['choices'], decided: string) {
  const options = Object.entries(choices).map(([value, label]) => ({ value, label }))
  return decided in choices ? options : [{ value: '', label: 'Elija' }, ...options]
}
