import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readUpload } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { FileName } from '#server/domain/documents/file-name.ts'
import {
  ReplaceFile,
  readReplaceable,
  replaceFile,
} from '#server/features/documents/replace-file.ts'
import type { Route } from './+types/replace'

const Fields = z.object({
  version: ReplaceFile.shape.version,
  reason: withSentence(
    z.preprocess(
      (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
      ReplaceFile.shape.reason,
    ),
    'Escriba qué cambió, hasta 500 caracteres.',
  ).default(() => null),
})

export const handle = { hydrate: true, label: 'Reemplazar el archivo' }

export const meta: Route.MetaFunction = () => [{ title: 'Reemplazar el archivo · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { title, folio, version } = await orErrorPage(
    readReplaceable(system, actor, { documentId }),
  )
  return { address: `/dashboard/documents/${documentId}`, title, folio, version }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  let typed: Record<string, string> = {}
  const replaced = readUpload(request, context, Fields, async (fields, file) => {
    typed = { reason: fields.reason ?? '' }
    const fileName = FileName.parse(file.name)
    return await replaceFile(system, actor, {
      documentId,
      ...fields,
      fileName,
      content: file.chunks,
    })
  })
  const answer = await refusalOnPage(replaced)
  // As for every other form: its page would ask again whether the actor may replace.
  if (!answer.ok && answer.code === 'cross-site') await orErrorPage(replaced)
  if (!answer.ok) {
    const isAboutTheFile = answer.init.status === 413 || answer.init.status === 422
    const field = isAboutTheFile || answer.code === 'same-file' ? 'file' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] }, values: typed }, answer.init)
  }
  const { value: read } = answer
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  return redirectDocument(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('file-replaced') },
  })
}

export default function ReplacePage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, folio, version } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Reemplazar el archivo"
        lead={
          <>
            Folio {folio} · <PageLink to={address}>Volver a {title}</PageLink>
          </>
        }
      />
      <Sheet>
        <PostForm encType="multipart/form-data" className={form.form} noValidate>
          <FormRefusal errors={errors?.form} />
          <p>
            El archivo nuevo será la versión {version + 1} del borrador y se revisa como cualquier
            archivo que se sube. La versión {version} se conserva y se puede comparar con la nueva.
          </p>
          <input type="hidden" name="version" value={version} />
          <TextField
            name="reason"
            label="Qué cambió (opcional)"
            help="Queda en el historial: “se corrigió el lindero norte”."
            maxLength={500}
            defaultValue={values?.reason ?? ''}
            errors={errors?.reason}
          />
          <FileField
            name="file"
            label="Archivo PDF"
            accept="application/pdf,.pdf"
            required
            errors={errors?.file}
          />
          <SubmitButton>Reemplazar el archivo</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
