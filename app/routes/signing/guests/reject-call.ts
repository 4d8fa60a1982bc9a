import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { jsonAnswer, notAPage, readCall, refusal } from '#app/routes/signing/one/answer.ts'
import { Base64Bytes } from '#app/routes/signing/one/base64-bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  RejectWithEfirma,
  rejectWithEfirma,
} from '#server/features/rejections/reject-with-efirma.ts'
import type { Route } from './+types/reject-call'
import { afterRejection } from './after-rejection.ts'

const Fields = z.strictObject({
  reason: RejectWithEfirma.shape.reason,
  at: RejectWithEfirma.shape.at,
  certificate: Base64Bytes,
  signature: Base64Bytes,
})

/** Rejects with a statement that an e.firma signed in the page. */
export function action({ request, context }: Route.ActionArgs) {
  return jsonAnswer(reject())

  async function reject(): Promise<Response> {
    const form = await readCall(request, context, Fields)
    if (!form.ok) throw new Problem('bad-request', 'not the fields of a rejection')
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const outcome = await rejectWithEfirma(system, actor, form.value)
    if (outcome.kind === 'refused') return refusal(422, outcome.sentence, { field: 'certificate' })
    const { address, headers } = afterRejection(outcome)
    return Response.json({ kind: 'rejected', address }, { headers })
  }
}

export const loader = () => notAPage()
