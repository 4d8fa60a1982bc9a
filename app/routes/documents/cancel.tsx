import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  CancelDocument,
  cancelDocument,
  readCancellable,
} from '#server/features/documents/cancel-document.ts'
import type { Route } from './+types/cancel'
import { documentRequest } from './document-request.ts'

const Fields = z.object({
  reason: withSentence(
    CancelDocument.shape.reason.pipe(z.string().min(1)),
    'Escriba el motivo, hasta 500 caracteres.',
  ),
})

export const handle = { hydrate: true, label: 'Cancelar documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Cancelar documento · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { title } = await orErrorPage(readCancellable(system, actor, { documentId }))
  return { address: `/dashboard/documents/${documentId}`, title }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const answer = await refusalOnPage(cancelDocument(system, actor, { documentId, ...read.value }))
  if (!answer.ok)
    return data<Answer>({ errors: { form: [answer.sentence] }, values: read.value }, answer.init)
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('document-cancelled') },
  })
}

export default function CancelDocumentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Cancelar documento"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        <PostForm className={form.form} noValidate>
          <FormRefusal errors={errors?.form} />
          <p>
            Para un borrador que se subió por error. Nadie podrá firmarlo y no se puede deshacer; el
            documento, su folio y su historial se conservan.
          </p>
          <TextField
            name="reason"
            label="Motivo"
            required
            maxLength={500}
            defaultValue={values?.reason ?? ''}
            errors={errors?.reason}
          />
          <SubmitButton color="bad" variant="light">
            Cancelar documento
          </SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
