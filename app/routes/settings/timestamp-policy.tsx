import { data, Form, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { answeringOrStepUp } from '#app/http/keep-request.ts'
import { answering } from '#app/http/problems.ts'
import { worded } from '#app/http/worded.ts'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import form from '#app/ui/form.module.css'
import { PageHead } from '#app/ui/page-head.tsx'
import { PageLink } from '#app/ui/page-link.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { TimestampPolicy } from '#server/domain/identity/office.ts'
import { changeTimestampPolicy } from '#server/features/offices/change-timestamp-policy.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/timestamp-policy'
import css from './office.module.css'
import { timestampPolicies } from './provider-words.ts'

const PolicyForm = z.object({
  timestampPolicy: worded(TimestampPolicy, 'Elija qué se hace sin sello de tiempo.'),
})

export const handle = { hydrate: true, label: 'Sello de tiempo' }

export const meta: Route.MetaFunction = () => [{ title: 'Sello de tiempo al firmar · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timestampPolicy } = await answering(readOffice(system, actor))
  return { timestampPolicy }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await answering(readForm(request, context, PolicyForm))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await answeringOrStepUp(
    { request, url, context },
    changeTimestampPolicy(system, actor, read.value),
  )
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash('timestamp-policy-changed') },
  })
}

export default function TimestampPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { errors }: { errors?: FormErrors } = actionData ?? {}
  return (
    <>
      <PageHead
        title="Sello de tiempo al firmar"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <div className={css.sheets}>
        <Sheet>
          <p className={css.lead}>
            Cada firma pide un sello de tiempo al primer proveedor que responda. Aquí se decide qué
            pasa cuando ninguno responde.
          </p>
          <Form method="post" className={form.form}>
            <CsrfField />
            <SelectField
              name="timestampPolicy"
              label="Si ningún proveedor responde"
              data={Object.entries(timestampPolicies).map(([value, label]) => ({ value, label }))}
              defaultValue={loaderData.timestampPolicy}
              errors={errors?.timestampPolicy}
            />
            <SubmitButton>Guardar</SubmitButton>
          </Form>
        </Sheet>
      </div>
    </>
  )
}
