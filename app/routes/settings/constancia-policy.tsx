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
import { ConstanciaPolicy } from '#server/domain/identity/office.ts'
import { changeConstanciaPolicy } from '#server/features/offices/change-constancia-policy.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/constancia-policy'
import css from './office.module.css'
import { constanciaPolicies } from './provider-words.ts'

const PolicyForm = z.object({
  constanciaPolicy: worded(ConstanciaPolicy, 'Elija cuándo se solicitan constancias.'),
})

export const handle = { hydrate: true, label: 'Constancias' }

export const meta: Route.MetaFunction = () => [{ title: 'Constancias NOM-151 · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { constanciaPolicy } = await answering(readOffice(system, actor))
  return { constanciaPolicy }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await answering(readForm(request, context, PolicyForm))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await answeringOrStepUp(
    { request, url, context },
    changeConstanciaPolicy(system, actor, read.value),
  )
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash('constancia-policy-changed') },
  })
}

export default function ConstanciaPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { errors }: { errors?: FormErrors } = actionData ?? {}
  return (
    <>
      <PageHead
        title="Constancias NOM-151"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <div className={css.sheets}>
        <Sheet>
          <p className={css.lead}>
            El prestador cobra por cada constancia. De cada archivo se solicita una sola, y nunca se
            repite la que ya se emitió.
          </p>
          <Form method="post" className={form.form}>
            <CsrfField />
            <SelectField
              name="constanciaPolicy"
              label="Cuándo se solicita"
              data={Object.entries(constanciaPolicies).map(([value, label]) => ({ value, label }))}
              defaultValue={loaderData.constanciaPolicy}
              errors={errors?.constanciaPolicy}
            />
            <SubmitButton>Guardar</SubmitButton>
          </Form>
        </Sheet>
      </div>
    </>
  )
}
