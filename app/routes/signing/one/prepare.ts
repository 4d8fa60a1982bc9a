import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { toBase64 } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  PrepareSignature,
  prepareSignature,
} from '#server/features/signatures/prepare-signature.ts'
import type { Route } from './+types/prepare'
import { jsonAnswer, notAPage, readCall, refusal } from './answer.ts'
import { Base64Bytes } from './base64-bytes.ts'

const Fields = z.strictObject({
  version: PrepareSignature.shape.version,
  certificate: Base64Bytes,
  unread: PrepareSignature.shape.unread,
})

/** Prepares a signature made in the page: receives the certificate and returns the bytes to sign. */
export function action({ request, params, context }: Route.ActionArgs) {
  return jsonAnswer(prepare())

  async function prepare(): Promise<Response> {
    const form = await readCall(request, context, Fields)
    const documentId = PrepareSignature.shape.documentId.safeParse(params.id)
    if (!form.ok) throw new Problem('bad-request', 'not the fields of a preparation')
    if (!documentId.success) throw new Problem('not-found', 'no id of a document')
    const outcome = await prepareSignature(context.get(systemContext), context.get(actorContext), {
      documentId: documentId.data,
      ...form.value,
    })
    if (outcome.kind === 'refused') return refusal(422, outcome.sentence, { field: 'certificate' })
    const { kind, id, toBeSigned, digest, documentSha256 } = outcome
    return Response.json({
      kind,
      id,
      toBeSigned: toBase64(toBeSigned),
      digest: toBase64(digest),
      documentSha256,
    })
  }
}

export const loader = () => notAPage()
