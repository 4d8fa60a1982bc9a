import { data, type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, UploadedFile } from '#app/http/forms.ts'
import { refusalOnPage } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import { SignOnServer, signOnServer } from '#server/features/signatures/sign-on-server.ts'

const Fields = z.object({
  version: SignOnServer.shape.version,
  certificate: UploadedFile.transform(({ bytes }) => bytes),
  privateKey: UploadedFile.transform(({ bytes }) => bytes),
  pkcs12: UploadedFile.optional().transform((file) => file?.bytes ?? new Uint8Array()),
  password: z.string().max(1000).default(''),
  unread: SignOnServer.shape.unread,
  consent: z
    .literal('yes')
    .optional()
    .transform((value) => value === 'yes'),
})

type FormArgs = { request: Request; context: Readonly<RouterContextProvider>; id: string }

/** Signs with the form without scripts, and redirects to the signed document at `done`. */
export async function signWithForm({ request, context, id }: FormArgs, done: string) {
  const answer = await refusalOnPage(sign())
  if (answer.ok) return answer.value
  const { sentence, page } = answer
  const errors: FormErrors = { form: [sentence], ...(page && { unread: [page] }) }
  return data({ errors }, answer.init)

  async function sign() {
    // Before the key is read, which must be wiped from then on.
    const documentId = SignOnServer.shape.documentId.safeParse(id)
    if (!documentId.success) throw new Problem('not-found', 'no id of a document')
    const form = await readForm(request, context, Fields)
    if (!form.ok) return data({ errors: form.errors }, 422)
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const input = { documentId: documentId.data, ...form.value }
    const outcome = await signOnServer(system, actor, input)
    if (outcome.kind === 'refused') return data({ errors: errorsOf(outcome.sentences) }, 422)
    throw redirect(done, { status: 303, headers: { 'Set-Cookie': flash('document-signed') } })
  }
}

function errorsOf(sentences: Record<string, string>): FormErrors {
  return Object.fromEntries(Object.entries(sentences).map(([field, text]) => [field, [text]]))
}
