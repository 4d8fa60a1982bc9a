import { data, type RouterContextProvider, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  AcceptPrivacyNotice,
  acceptPrivacyNotice,
} from '#server/features/guests/accept-privacy-notice.ts'

const Form = z.object({
  notice: AcceptPrivacyNotice.shape.notice,
  consent: withSentence(z.literal('yes'), 'Marque la casilla si está de acuerdo con el aviso.'),
})

const CHANGED = 'El aviso de privacidad cambió mientras usted lo leía. Lea el texto nuevo.'

type FormArgs = { request: Request; context: Readonly<RouterContextProvider> }

/** Records the consent to the notice named in the form, and redirects to `done`. */
export async function acceptWithForm({ request, context }: FormArgs, done: string) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ errors: { form: [form.sentence] } as FormErrors }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const answer = await orErrorPage(acceptPrivacyNotice(system, actor, form.value.value))
  if (answer.kind === 'changed') return data({ errors: { form: [CHANGED] } as FormErrors }, 409)
  return redirectDocument(done, 303)
}
