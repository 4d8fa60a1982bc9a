import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm } from '#app/http/forms.ts'
import { PART_BYTES } from '#server/domain/documents/resumable-upload.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import {
  BeginResumableUpload,
  beginResumableUpload,
} from '#server/features/documents/begin-resumable-upload.ts'
import type { Route } from './+types/begin'
import { notAPage, uploadAnswer } from './answer.ts'

/** In UTF-16 units: no file system has longer names. */
const LONGEST_FILE_NAME = 255

const Fields = z.object({
  name: z.string().max(LONGEST_FILE_NAME).pipe(BeginResumableUpload.shape.fileName),
  bytes: z.coerce.number().pipe(BeginResumableUpload.shape.bytes),
  modifiedAt: z.coerce.number().pipe(Instant),
  /** The user of the page: another one may have signed in meanwhile, in another tab. */
  owner: UserId,
})

/** Begins or resumes an upload: answers with its id, the size of its parts and the digests of those that are here. */
export function action({ request, context }: Route.ActionArgs) {
  return uploadAnswer(begin())

  async function begin(): Promise<Response> {
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const { userId } = mustBeSignedIn(actor)
    const form = await readForm(request, context, Fields)
    if (!form.ok) throw new Problem('bad-request', 'not the fields of an upload')
    const { name, bytes, modifiedAt, owner } = form.value
    if (owner !== userId)
      return Response.json(
        { kind: 'refused', sentence: OF_ANOTHER, code: 'owner' },
        { status: 409 },
      )
    const input = { fileName: name, bytes, modifiedAt }
    const { upload, parts } = await beginResumableUpload(system, actor, input)
    return Response.json({
      kind: 'begun',
      id: upload.id,
      partBytes: PART_BYTES,
      parts: Object.fromEntries(parts.map(({ place, sha256 }) => [place, sha256])),
    })
  }
}

const OF_ANOTHER =
  'La sesión abierta ahora es de otra persona. Recargue la página para subir los documentos con ella.'

export const loader = notAPage
