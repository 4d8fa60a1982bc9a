import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import {
  describeInstrument,
  readDescribable,
} from '#server/features/documents/describe-instrument.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/instrument-page'
import { documentRequest } from './document-request.ts'
import { InstrumentFields } from './instrument-fields.tsx'
import { instrumentFields, instrumentIn, instrumentValues } from './instrument-form.ts'

const Fields = z
  .object(instrumentFields)
  .transform((typed, context) => ({ instrument: instrumentIn(typed, context) }))

export const handle = { hydrate: true, label: 'Datos del instrumento' }

export const meta: Route.MetaFunction = () => [{ title: 'Datos del instrumento · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { entity } = await orErrorPage(readOffice(system, actor))
  const { title, instrument } = await orErrorPage(readDescribable(system, actor, { documentId }))
  return {
    address: `/dashboard/documents/${documentId}`,
    title,
    volumeName: volumeNameOf(volumeWordOf(entity)),
    values: instrumentValues(instrument),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const { instrument } = read.value
  const answer = await refusalOnPage(describeInstrument(system, actor, { documentId, instrument }))
  if (!answer.ok) {
    const values = instrumentValues(instrument)
    return data<Answer>({ errors: { form: [answer.sentence] }, values }, answer.init)
  }
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('document-described') },
  })
}

export default function InstrumentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, volumeName } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Datos del instrumento"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        <PostForm className={form.form} noValidate>
          {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
          <p>
            Se imprimen en la hoja de firmas y en la hoja de evidencia, y sirven para buscar el
            documento. Después de enviarlo a firma ya no se cambian. Si lo deja todo vacío, el
            documento no lleva datos de instrumento.
          </p>
          <InstrumentFields
            volumeName={volumeName}
            values={values ?? loaderData.values}
            errors={errors}
          />
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
