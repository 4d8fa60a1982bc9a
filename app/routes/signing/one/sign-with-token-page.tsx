import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { Problem } from '#server/domain/problem.ts'
import { SignWithToken, signWithToken } from '#server/features/signatures/sign-with-token.ts'
import type { Route } from './+types/sign-with-token-page'
import css from './sign.module.css'
import { SignFrame } from './sign-frame.tsx'
import { loadSigning } from './sign-view.ts'

export const handle = { label: 'Firmar con token' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar con token · Rúbrica' }]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  if (!context.get(systemContext).tokens)
    await orErrorPage(Promise.reject(new Problem('not-found', 'no tokens on this server')))
  return loadSigning(params, url, context)
}

const Fields = z.object({
  version: SignWithToken.shape.version,
  pin: z.string().max(200).default(''),
})

type Answer = { errors?: FormErrors }

export async function action({ request, params, context }: Route.ActionArgs) {
  const answer = await refusalOnPage(sign())
  if (answer.ok) return answer.value
  return data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)

  async function sign() {
    const documentId = SignWithToken.shape.documentId.safeParse(params.id)
    if (!documentId.success) throw new Problem('not-found', 'no id of a document')
    const form = await readForm(request, context, Fields)
    if (!form.ok) return data<Answer>({ errors: form.errors }, 422)
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const input = { documentId: documentId.data, ...form.value }
    const outcome = await signWithToken(system, actor, input)
    if (outcome.kind === 'refused')
      return data<Answer>({ errors: { pin: [outcome.sentence] } }, 422)
    throw redirect(`/dashboard/documents/${params.id}`, {
      status: 303,
      headers: { 'Set-Cookie': flash('document-signed') },
    })
  }
}

export default function SignWithTokenPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { errors }: Answer = actionData ?? {}
  return (
    <SignFrame view={view}>
      <Sheet title="Token conectado al servidor">
        <PostForm className={css.form} noValidate>
          <input type="hidden" name="version" value={view.version} />
          <p className={css.quiet}>
            Se firma con el certificado de {view.signer} que está en el token. La clave no sale de
            él, y el servidor no guarda su NIP.
          </p>
          <FormRefusal errors={errors?.form} />
          <PasswordField
            name="pin"
            label="NIP del token"
            autoComplete="off"
            required
            errors={errors?.pin}
          />
          <SubmitButton leftSection={<Icon name="sign" />}>Firmar documento</SubmitButton>
        </PostForm>
      </Sheet>
    </SignFrame>
  )
}
