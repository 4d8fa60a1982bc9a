import { z } from 'zod'
import { bodyOf } from '#app/http/body.ts'
import { pacedBody } from '#app/http/body-pace.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { mustBeOurForm } from '#app/http/csrf.ts'
import { fromBase64, toHex } from '#server/domain/bytes.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { StoreUploadPart, storeUploadPart } from '#server/features/documents/store-upload-part.ts'
import type { Route } from './+types/part'
import { notAPage, uploadAnswer, uploadIdIn } from './answer.ts'

/** Stores one part: its bytes are the body, their digest is the field `Content-Digest` of RFC 9530. */
export function action({ request, params, context }: Route.ActionArgs) {
  return uploadAnswer(store())

  async function store(): Promise<Response> {
    const actor = context.get(actorContext)
    mustBeSignedIn(actor)
    mustBeOurForm(request, context, undefined)
    // Other sites cannot send this type without a CORS preflight.
    if (request.headers.get('Content-Type') !== 'application/octet-stream')
      throw new Problem('bad-request', 'a part is not a form')
    const uploadId = uploadIdIn(params)
    const named = Named.safeParse({ place: params.place, sha256: digestIn(request) })
    if (!named.success) throw new Problem('bad-request', 'no place or no digest of a part')
    const content = pacedBody(bodyOf(request)).iterator({ destroyOnReturn: false })
    await storeUploadPart(context.get(systemContext), actor, { uploadId, ...named.data, content })
    return Response.json({ kind: 'stored' })
  }
}

const Named = z.object({
  place: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  sha256: StoreUploadPart.shape.sha256,
})

/** In hex; undefined without one. @see RFC 9530, 2 */
function digestIn({ headers }: Request): string | undefined {
  const found = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(headers.get('Content-Digest') ?? '')?.[1]
  return found && toHex(fromBase64(found))
}

export const loader = notAPage
