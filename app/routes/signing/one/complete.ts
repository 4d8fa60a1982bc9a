import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  CompleteSignature,
  completeSignature,
} from '#server/features/signatures/complete-signature.ts'
import type { Route } from './+types/complete'
import { jsonAnswer, notAPage, readCall } from './answer.ts'
import { Base64Bytes } from './base64-bytes.ts'

const Fields = z.strictObject({
  preparedId: CompleteSignature.shape.preparedId,
  signature: Base64Bytes,
  /** Part of a batch: its page shows the result, not a flash message. */
  batch: z.literal('yes').optional(),
})

/** Completes a signature made in the page: receives the key's output and stores the signed document. */
export function action({ request, context }: Route.ActionArgs) {
  return jsonAnswer(complete())

  async function complete(): Promise<Response> {
    const form = await readCall(request, context, Fields)
    if (!form.ok) throw new Problem('bad-request', 'not the fields of a completion')
    const { batch, ...input } = form.value
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const signed = await completeSignature(system, actor, input)
    const answer = { kind: 'completed', ...signed }
    if (batch) return Response.json(answer)
    return Response.json(answer, { headers: { 'Set-Cookie': flash('document-signed') } })
  }
}

export const loader = () => notAPage()
