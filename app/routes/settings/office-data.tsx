import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { officeFields, zoneChoices } from '#app/http/office-form.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { OfficeFields } from '#app/ui/forms/office-fields.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { OfficeIdentity } from '#server/domain/identity/office.ts'
import { changeOffice } from '#server/features/offices/change-office.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/office-data'
import css from './office.module.css'

const OfficeForm = z.object(officeFields)

export const handle = { hydrate: true, label: 'Datos de la notaría' }

export const meta: Route.MetaFunction = () => [{ title: 'Datos de la notaría · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await orErrorPage(readOffice(system, actor))
  return { values: inFields(office), zones: zoneChoices(office.timeZone) }
}

const inFields = ({ name, number, entity, municipality, address, timeZone }: OfficeIdentity) => ({
  name,
  number: String(number),
  entity,
  municipality,
  address,
  timeZone,
})

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, OfficeForm))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const work = changeOffice(system, actor, read.value)
  const outcome = await refusalOrStepUp({ request, url, context }, work)
  if (!outcome.ok) {
    if (outcome.code !== 'office-taken') await orErrorPage(work)
    const errors = { number: [outcome.sentence] }
    return data<Answer>({ errors, values: inFields(read.value) }, outcome.init)
  }
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash('office-changed') },
  })
}

export default function OfficeDataPage({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Datos de la notaría"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Así aparece la notaría desde ahora en sus páginas, en las hojas de firmas y ante quien
            verifica. Las hojas que ya están en un documento no cambian.
          </p>
          <PostForm className={form.form} noValidate>
            <OfficeFields
              values={values ?? loaderData.values}
              errors={errors}
              zones={loaderData.zones}
            />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
