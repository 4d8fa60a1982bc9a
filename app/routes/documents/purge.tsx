import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
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
  PurgeDocument,
  purgeDocument,
  readPurgeable,
} from '#server/features/documents/purge-document.ts'
import type { Route } from './+types/purge'
import { documentRequest } from './document-request.ts'

const Fields = z.object({
  reason: withSentence(
    PurgeDocument.shape.reason.pipe(z.string().min(1)),
    'Escriba el motivo, hasta 500 caracteres.',
  ),
})

export const handle = { hydrate: true, label: 'Eliminar archivo' }

export const meta: Route.MetaFunction = () => [{ title: 'Eliminar archivo · Rúbrica' }]

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  requireRecentProof({ context, url })
  const { title, folio } = await orErrorPage(readPurgeable(system, actor, { documentId }))
  return { address: `/dashboard/documents/${documentId}`, title, folio }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const work = purgeDocument(system, actor, { documentId, ...read.value })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    // The page could not be shown again.
    if (answer.code !== 'someone-signing') await orErrorPage(work)
    return data<Answer>({ errors: { form: [answer.sentence] }, values: read.value }, answer.init)
  }
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('document-purged') },
  })
}

export default function PurgeDocumentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, folio } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Eliminar archivo"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        <PostForm className={form.form} noValidate>
          <FormRefusal errors={errors?.form} />
          <p>
            Para un archivo que se subió por error y que nadie recibió para firmar. Se borra el
            archivo y no se puede recuperar, salvo de un respaldo anterior. El folio {folio}, sus
            datos y su historial se conservan, con su nombre y el motivo; si era borrador, queda
            cancelado.
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
            Eliminar archivo
          </SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
