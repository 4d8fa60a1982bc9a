import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { forScript } from '#app/http/answer-to-script.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readUploads } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import type { UploadAnswer } from '#app/ui/upload/upload-answer.ts'
import { UploadButtons } from '#app/ui/upload/upload-buttons.tsx'
import { UploadFields } from '#app/ui/upload/upload-fields.tsx'
import { useUploads } from '#app/ui/upload/use-uploads.ts'
import { LONGEST_TITLE } from '#server/domain/documents/document.ts'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatInstant } from '#server/domain/time.ts'
import { beginUpload } from '#server/features/documents/begin-upload.ts'
import { listUnfinishedUploads } from '#server/features/documents/list-unfinished-uploads.ts'
import { MOST_AT_ONCE, uploadDocuments } from '#server/features/documents/upload-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/new'
import { InstrumentFold } from './instrument-fields.tsx'
import { instrumentValues, isAboutNumber } from './instrument-form.ts'
import { AGAIN, documentFields, documentIn } from './upload-form.ts'
import { UnfinishedUploads } from './uploads/unfinished-uploads.tsx'
import {
  knownIn,
  MAX_FILES_READ,
  named,
  singleDocument,
  uploadResultOf,
} from './uploads/upload-result.ts'
import { UploadResultList } from './uploads/upload-result-list.tsx'

const Fields = z
  .object({ ...documentFields, again: AGAIN })
  .transform(({ again, ...rest }, context) => ({
    ...documentIn(rest, context),
    isAgain: again,
  }))

export const handle = { hydrate: true, label: 'Subir documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Subir documento · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await orErrorPage(readOffice(system, actor))
  await orErrorPage(beginUpload(system, actor))
  const unfinished = await orErrorPage(listUnfinishedUploads(system, actor))
  return {
    unfinished: unfinished.map(({ id, fileName: name, bytes, here, expiresAt }) => ({
      ...{ id: id as string, name: name as string, bytes, here },
      expires: formatInstant(expiresAt, office.timeZone),
    })),
    owner: mustBeSignedIn(actor).userId,
    limits: {
      megabytes: megabytesAllowed(system.settings, office),
      files: MOST_AT_ONCE,
      title: LONGEST_TITLE,
    },
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
    const field =
      answer.code === 'title-missing'
        ? 'title'
        : isAboutNumber(answer)
          ? 'number'
          : isAboutTheFile
            ? 'file'
            : 'form'
    const errors = { [field]: [sentence] }
    return data({ errors, values: typed ?? {} }, answer.init)
  }
  if (!answer.value.ok)
    return data({ errors: answer.value.errors, values: answer.value.values }, 422)
  const { value: several, document } = answer.value
  if (!document) {
    const office = await orErrorPage(readOffice(system, actor))
    const { known } = several
    if (known.length > 0 && several.stored.length + several.refused.length === 0)
      return data({ values: typed ?? {}, known: knownIn(several) }, 409)
    const { uploadResult, status } = uploadResultOf(
      several,
      megabytesAllowed(system.settings, office),
    )
    return data({ uploadResult, values: typed ?? {}, known: knownIn(several) }, status)
  }
  return redirectDocument(`/dashboard/documents/${document.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('document-uploaded') },
  })
}

const tooLarge = (megabytes: number) =>
  `El archivo supera el límite de ${megabytes} MB. No se guardó nada; elija uno más pequeño.`

const NO_ANSWER: UploadAnswer = {}

export default function NewDocument({ loaderData, actionData }: Route.ComponentProps) {
  const { limits, volumeName, owner, unfinished } = loaderData
  const uploads = useUploads(actionData ?? NO_ANSWER, { limits, owner })
  const { errors, values, uploadResult } = uploads.answer
  return (
    <>
      <PageHead title="Subir documento" />
      {uploadResult && <UploadResultList {...uploadResult} />}
      <UnfinishedUploads uploads={unfinished} chosen={uploads.chosen} />
      <Sheet {...(uploadResult && { title: 'Subir más' })}>
        <PostForm
          isNative
          onSubmit={uploads.onSubmit}
          encType="multipart/form-data"
          className={form.form}
        >
          <FormRefusal errors={errors?.form} />
          <UploadFields uploads={uploads} limits={limits}>
            <InstrumentFold volumeName={volumeName} values={values ?? {}} errors={errors} />
          </UploadFields>
          <UploadButtons uploads={uploads} />
        </PostForm>
      </Sheet>
    </>
  )
}
