import { data, type RouterContextProvider, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { refusalOnPage } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import { Problem } from '#server/domain/problem.ts'
import { Statement } from '#server/domain/verification/upload-judgement.ts'
import {
  AcknowledgeJudgement,
  acknowledgeJudgement,
} from '#server/features/signatures/acknowledge-judgement.ts'
import { STATEMENT_MISSING } from '#server/words/judgements.ts'

const Box = z.literal('yes').optional()

const Fields = z.object({
  judgement: AcknowledgeJudgement.shape.judgement,
  returnUrl: z.string().max(2000).default(''),
  'judgement-seen': Box,
  'read-elsewhere': Box,
})

type FormArgs = { request: Request; context: Readonly<RouterContextProvider>; id: string }

/** Records the statements of a signer, then returns to the signing form at `returnUrl` or `address`. */
export async function acknowledgeWithForm({ request, context, id }: FormArgs, address: string) {
  const answer = await refusalOnPage(acknowledge())
  if (!answer.ok) return data({ errors: errorsOf(answer) }, answer.init)
  return answer.value

  async function acknowledge() {
    const documentId = AcknowledgeJudgement.shape.documentId.safeParse(id)
    if (!documentId.success) throw new Problem('not-found', 'no id of a document')
    const form = await readForm(request, context, Fields)
    if (!form.ok) return data({ errors: form.errors }, 422)
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const { judgement, returnUrl, ...boxes } = form.value
    const statements = Statement.options.filter((one) => boxes[one] === 'yes')
    await acknowledgeJudgement(system, actor, {
      documentId: documentId.data,
      judgement,
      statements,
    })
    const back = safeReturnUrl(returnUrl, system.settings.publicOrigin, address)
    throw redirectDocument(back, 303)
  }
}

function errorsOf({ code, sentence }: { code: string; sentence: string }): FormErrors {
  if (code !== 'acknowledgement-needed') return { form: [sentence] }
  return Object.fromEntries(Statement.options.map((one) => [one, [STATEMENT_MISSING]]))
}
