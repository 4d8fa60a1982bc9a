import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { AGAIN, documentFields, documentIn, NO_TITLE } from '#app/routes/documents/upload-form.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import {
  FinishResumableUpload,
  finishResumableUpload,
} from '#server/features/documents/finish-resumable-upload.ts'
import type { Route } from './+types/finish'
import { notAPage, uploadAnswer, uploadIdIn } from './answer.ts'

const Fields = z
  .object({
    ...documentFields,
    digest: FinishResumableUpload.shape.digest,
    /** The only file of its form: the page goes to its document, which says that it was stored. */
    alone: z.literal('yes').optional(),
    again: AGAIN,
  })
  .transform(({ digest, alone, again, ...fields }, context) => ({
    ...documentIn(fields, context),
    ...{ digest, isAlone: alone === 'yes', isAgain: again },
  }))

/** Makes a document of an upload whose parts are all here. */
export function action({ request, params, context }: Route.ActionArgs) {
  return uploadAnswer(finish())

  async function finish(): Promise<Response> {
    const actor = context.get(actorContext)
    mustBeSignedIn(actor)
    const form = await readForm(request, context, Fields)
    const uploadId = uploadIdIn(params)
    if (!form.ok) return invalid(form.errors)
    const { title, isAlone, ...rest } = form.value
    if (title === null) return invalid({ title: [NO_TITLE] })
    const input = { ...rest, uploadId, title }
    const { kind, document } = await finishResumableUpload(context.get(systemContext), actor, input)
    const { id, folio, title: stored, state } = document
    return Response.json(
      { kind, document: { id, folio, title: stored, state } },
      isAlone && kind === 'stored'
        ? { headers: { 'Set-Cookie': flash('document-uploaded') } }
        : undefined,
    )
  }
}

const invalid = (errors: object) => Response.json({ kind: 'invalid', errors }, { status: 422 })

export const loader = notAPage
