import type { RouterContextProvider } from 'react-router'
import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { IssuedCopyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { CancelCopy, cancelCopy, readCancellableCopy } from '#server/features/copies/cancel-copy.ts'
import { copyName } from '#server/words/copies.ts'
import type { Route } from './+types/cancel-copy'

const Fields = z.object({
  reason: withSentence(
    CancelCopy.shape.reason.pipe(z.string().min(1)),
    'Escriba el motivo, hasta 500 caracteres.',
  ),
})

export const handle = { hydrate: true, label: 'Cancelar copia expedida' }

export const meta: Route.MetaFunction = () => [{ title: 'Cancelar copia expedida · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, named } = await orErrorPage(copyRequest(params, context))
  const { document, copy } = await orErrorPage(readCancellableCopy(system, actor, named))
  return {
    address: `/dashboard/documents/${document.id}/copies`,
    folio: document.folio,
    name: copyName(copy.kind, copy.ordinal),
    recipient: copy.recipient.name,
  }
}

async function copyRequest(
  params: { id: string; copyId: string },
  context: Readonly<RouterContextProvider>,
) {
  const { system, actor, documentId } = await documentRequest(params, context)
  const copyId = IssuedCopyId.safeParse(params.copyId)
  if (!copyId.success) throw new Problem('not-found', 'no id of a copy')
  return { system, actor, named: { documentId, copyId: copyId.data } }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, named } = await orErrorPage(copyRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const answer = await refusalOnPage(cancelCopy(system, actor, { ...named, ...read.value }))
  if (!answer.ok)
    return data<Answer>({ errors: { form: [answer.sentence] }, values: read.value }, answer.init)
  return redirect(`/dashboard/documents/${named.documentId}/copies`, {
    status: 303,
    headers: { 'Set-Cookie': flash('copy-cancelled') },
  })
}

export default function CancelCopyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, folio, name, recipient } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Cancelar el registro de una copia"
        lead={<PageLink to={address}>Volver a las copias expedidas</PageLink>}
      />
      <Sheet>
        <PostForm className={form.form} noValidate>
          <FormRefusal errors={errors?.form} />
          <p>
            <strong>{name}</strong> del documento {folio}, para {recipient}.
          </p>
          <p>
            El registro se conserva como cancelado, con su nombre y el motivo, y su número no se
            vuelve a usar. Si la copia se expidió con otros datos, regístrela después de nuevo.
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
            Cancelar el registro
          </SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
