import { data, type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, UploadedFile } from '#app/http/forms.ts'
import { refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  SignManyOnServer,
  signManyOnServer,
} from '#server/features/signatures/sign-many-on-server.ts'
import { batchResultCookie } from './batch-result.ts'

/** The selected checkboxes, each a document and the version shown: one is a text, several are a list. */
const Marked = z
  .union([z.string(), z.array(z.string())])
  .transform((marked) => [marked].flat().map((one) => one.split(':')))
  .transform((pairs): unknown => pairs.map(([documentId, version]) => ({ documentId, version })))

const Fields = z.object({
  document: withSentence(
    Marked.pipe(SignManyOnServer.shape.documents),
    'Marque al menos un documento de la lista.',
  ),
  certificate: UploadedFile.transform(({ bytes }) => bytes),
  privateKey: UploadedFile.transform(({ bytes }) => bytes),
  pkcs12: UploadedFile.optional().transform((file) => file?.bytes ?? new Uint8Array()),
  password: z.string().max(1000).default(''),
  consent: z
    .literal('yes')
    .optional()
    .transform((value) => value === 'yes'),
})

type FormArgs = {
  request: Request
  context: Readonly<RouterContextProvider>
  /** Address of the list that shows the result. */
  done: string
}

/** Signs the selected documents with the form without scripts; redirects to the list with the result. */
export async function signManyWithForm({ request, context, done }: FormArgs) {
  const answer = await refusalOnPage(sign())
  if (!answer.ok) return data({ errors: { form: [answer.sentence] } as FormErrors }, answer.init)
  return answer.value

  async function sign() {
    const form = await readForm(request, context, Fields)
    if (!form.ok) return data({ errors: form.errors }, 422)
    const { document: documents, ...shown } = form.value
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const outcome = await signManyOnServer(system, actor, { documents, ...shown })
    if (outcome.kind === 'refused') return data({ errors: errorsOf(outcome.sentences) }, 422)
    const headers = new Headers({
      'Set-Cookie': batchResultCookie(outcome.by, outcome.results),
    })
    if (outcome.sentence) headers.append('Set-Cookie', flash('batch-ended'))
    throw redirect(`${done}${done.includes('?') ? '&' : '?'}result`, { status: 303, headers })
  }
}

function errorsOf(sentences: Record<string, string>): FormErrors {
  return Object.fromEntries(Object.entries(sentences).map(([field, text]) => [field, [text]]))
}
