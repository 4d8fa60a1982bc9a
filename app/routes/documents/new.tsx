import { useState } from 'react'
import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { forScript } from '#app/http/answer-to-script.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readUploads } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { useSentFiles } from '#app/ui/forms/use-sent-files.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { beginUpload } from '#server/features/documents/begin-upload.ts'
import { UploadDocument } from '#server/features/documents/upload-document.ts'
import { MOST_AT_ONCE, uploadDocuments } from '#server/features/documents/upload-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { documentKinds } from '#server/words/documents.ts'
import type { Route } from './+types/new'
import { InstrumentFold } from './instrument-fields.tsx'
import { instrumentFields, instrumentIn, instrumentValues } from './instrument-form.ts'
import {
  MAX_FILES_READ,
  named,
  singleDocument,
  type UploadResult,
  uploadResultOf,
} from './upload-result.ts'
import { UploadResultList } from './upload-result-list.tsx'

const Typed = z.object({
  title: withSentence(
    UploadDocument.shape.title.or(z.string().trim().max(0)),
    'Escriba el título del documento, hasta 200 letras.',
  ),
  kind: withSentence(UploadDocument.shape.kind, 'Elija el tipo de documento.').default('other'),
  ...instrumentFields,
})
const Fields = Typed.transform(({ title, kind, ...rest }, context) => ({
  // Several files take their names as titles; a title is for a single file.
  title: title || null,
  kind,
  instrument: instrumentIn(rest, context),
}))

export const handle = { hydrate: true, label: 'Subir documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Subir documento · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await orErrorPage(readOffice(system, actor))
  await orErrorPage(beginUpload(system, actor))
  return {
    maxFiles: MOST_AT_ONCE,
    limitMegabytes: megabytesAllowed(system.settings, office),
    volumeName: volumeNameOf(volumeWordOf(office.entity)),
  }
}

type WithUploadLimit = { uploadLimit: number }

/** Returns the smaller limit of the office and the installation. */
function megabytesAllowed(...limits: [WithUploadLimit, WithUploadLimit]): number {
  return Math.floor(Math.min(...limits.map(({ uploadLimit }) => uploadLimit)) / 1_048_576)
}

export async function action(args: Route.ActionArgs) {
  return forScript(args.context, await upload(args))
}

async function upload({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  let typed: Record<string, string> | undefined
  const uploaded = readUploads(request, context, Fields, MAX_FILES_READ, (fields, files) => {
    const { instrument, title, kind } = fields
    typed = { title: title ?? '', kind, ...instrumentValues(instrument) }
    return uploadDocuments(system, actor, { ...fields, files: named(files) })
  })
  const answer = await refusalOnPage(
    uploaded.then((read) => (read.ok ? { ...read, document: singleDocument(read.value) } : read)),
  )
  // As for every other form: its page would ask again whether the actor may upload.
  if (!answer.ok && answer.code === 'cross-site') await orErrorPage(uploaded)
  if (!answer.ok) {
    // After the fields, only the file can be too large.
    const isFileTooLarge = typed !== undefined && answer.code === 'too-large'
    const sentence = isFileTooLarge
      ? tooLarge(megabytesAllowed(system.settings, await orErrorPage(readOffice(system, actor))))
      : answer.sentence
    const isAboutTheFile = answer.init.status === 413 || answer.init.status === 422
    const field = answer.code === 'title-missing' ? 'title' : isAboutTheFile ? 'file' : 'form'
    const errors = { [field]: [sentence] }
    return data({ errors, values: typed ?? {} }, answer.init)
  }
  if (!answer.value.ok)
    return data({ errors: answer.value.errors, values: answer.value.values }, 422)
  const { value: several, document } = answer.value
  if (!document) {
    const office = await orErrorPage(readOffice(system, actor))
    const { uploadResult, status } = uploadResultOf(
      several,
      megabytesAllowed(system.settings, office),
    )
    return data({ uploadResult, values: typed ?? {} }, status)
  }
  return redirectDocument(`/dashboard/documents/${document.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('document-uploaded') },
  })
}

const tooLarge = (megabytes: number) =>
  `El archivo supera el límite de ${megabytes} MB. No se guardó nada; elija uno más pequeño.`

type Answer = {
  errors?: Record<string, string[] | undefined>
  values?: Record<string, string>
  uploadResult?: UploadResult
}

const NO_ANSWER: Answer = {}

export default function NewDocument({ loaderData, actionData }: Route.ComponentProps) {
  const { answer, onSubmit } = useSentFiles<Answer>(actionData ?? NO_ANSWER)
  const { errors, values, uploadResult } = answer
  const [chosen, setChosen] = useState(0)
  return (
    <>
      <PageHead title="Subir documento" />
      {uploadResult && <UploadResultList {...uploadResult} />}
      <Sheet {...(uploadResult && { title: 'Subir más' })}>
        <PostForm isNative onSubmit={onSubmit} encType="multipart/form-data" className={form.form}>
          {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
          <TextField
            name="title"
            label="Título"
            help="Como lo buscará después: acto, partes o número de instrumento."
            required={chosen === 1}
            maxLength={200}
            defaultValue={values?.title ?? ''}
            errors={errors?.title}
          />
          <SelectField
            name="kind"
            label="Tipo de documento"
            data={Object.entries(documentKinds).map(([value, label]) => ({ value, label }))}
            defaultValue={values?.kind ?? 'other'}
            errors={errors?.kind}
          />
          <InstrumentFold
            volumeName={loaderData.volumeName}
            values={values ?? {}}
            errors={errors}
          />
          <FileField
            // What was uploaded is not uploaded again.
            key={JSON.stringify(uploadResult)}
            name="file"
            label="Archivo PDF"
            accept=".pdf,application/pdf"
            help={`Un PDF sin contraseña, hasta ${loaderData.limitMegabytes} MB. Si ya trae firmas, se conservan. Puede elegir hasta ${loaderData.maxFiles}: cada uno queda como un documento, con este tipo y estos datos; su título lleva además el nombre del archivo, o solo ese nombre si deja el título vacío.`}
            required
            multiple
            onChosen={setChosen}
            errors={errors?.file}
          />
          <SubmitButton>Subir</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
