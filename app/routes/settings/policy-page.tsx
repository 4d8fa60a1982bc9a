import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DecidedPolicy, RefusedPolicy } from './decide-policy.ts'
import css from './office.module.css'

type Props = {
  title: string
  /** Introduction of the policy. */
  lead: string
  /** Name of the form field. */
  name: string
  label: string
  help?: string
  /** The options with their es-MX labels. */
  choices: Readonly<Record<string, string>>
  policy: DecidedPolicy
  refused: RefusedPolicy | undefined
}

/** The page of one office policy: an introduction and a select list. */
export function PolicyPage({ title, lead, name, choices, policy, refused, ...field }: Props) {
  const decided = refused?.chosen ?? policy.decided
  return (
    <>
      <PageHead
        title={title}
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>{lead}</p>
          <PostForm className={form.form}>
            <input type="hidden" name="seen" value={refused?.seen ?? policy.seen} />
            <SelectField
              name={name}
              data={optionsOf(choices, decided)}
              defaultValue={decided}
              errors={refused?.errors[name]}
              {...field}
            />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}

/** Adds the current value if it is not in the list, so that saving the form keeps it. */
function optionsOf(choices: Props['choices'], decided: string) {
  const options = Object.entries(choices).map(([value, label]) => ({ value, label }))
  return decided in choices ? options : [{ value: '', label: 'Elija' }, ...options]
}
