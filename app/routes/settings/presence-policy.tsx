import { data, Form, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { answeringOrStepUp } from '#app/http/keep-request.ts'
import { answering } from '#app/http/problems.ts'
import { worded } from '#app/http/worded.ts'
import { presencePolicies } from '#app/messages.ts'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import form from '#app/ui/form.module.css'
import { PageHead } from '#app/ui/page-head.tsx'
import { PageLink } from '#app/ui/page-link.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { PresencePolicy } from '#server/domain/identity/office.ts'
import { changePresencePolicy } from '#server/features/offices/change-presence-policy.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/presence-policy'
import css from './office.module.css'

const PolicyForm = z.object({
  presence: worded(PresencePolicy, 'Elija si se pide comprobar la presencia.'),
})

export const handle = { hydrate: true, label: 'Presencia al firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Presencia al firmar · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { presence } = await answering(readOffice(system, actor))
  return { presence }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await answering(readForm(request, context, PolicyForm))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await answeringOrStepUp(
    { request, url, context },
    changePresencePolicy(system, actor, read.value),
  )
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash('presence-policy-changed') },
  })
}

export default function PresencePolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { errors }: { errors?: FormErrors } = actionData ?? {}
  return (
    <>
      <PageHead
        title="Presencia al firmar"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <div className={css.sheets}>
        <Sheet>
          <p className={css.lead}>
            Antes de firmar, cada persona de la notaría comprueba que está frente a la pantalla con
            su llave de seguridad o su aplicación de códigos. Vale cinco minutos para los documentos
            que se le muestran y queda como evidencia; no es una firma electrónica. Los firmantes
            externos comprueban su presencia solo con su e.firma.
          </p>
          <Form method="post" className={form.form}>
            <CsrfField />
            <SelectField
              name="presence"
              label="Presencia antes de firmar"
              help="Quien no tenga llave ni aplicación de códigos no podrá firmar hasta configurar una."
              data={Object.entries(presencePolicies).map(([value, label]) => ({ value, label }))}
              defaultValue={loaderData.presence}
              errors={errors?.presence}
            />
            <SubmitButton>Guardar</SubmitButton>
          </Form>
        </Sheet>
      </div>
    </>
  )
}
