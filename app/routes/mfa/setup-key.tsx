import { data } from 'react-router'
import { z } from 'zod'
import { AnswerOfKey } from '#app/http/answer-of-key.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { returnPathOf } from '#app/http/sign-in-redirects.ts'
import { requireRecentProof } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SecurityKeyButton } from '#app/ui/forms/security-key-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { RegistrationAnswer } from '#server/domain/identity/webauthn-answer.ts'
import { WebauthnCredentialName } from '#server/domain/identity/webauthn-credential.ts'
import { finishWebauthnRegistration } from '#server/features/mfa/finish-webauthn-registration.ts'
import type { Route } from './+types/setup-key'
import { factorAdded } from './factor-added.ts'
import css from './mfa.module.css'

const Name = z.union([z.literal('').transform(() => undefined), WebauthnCredentialName])

const Form = z.object({
  name: withSentence(Name, 'Escriba un nombre de hasta 60 caracteres.'),
  response: withSentence(
    AnswerOfKey.pipe(RegistrationAnswer),
    'La llave no respondió. Intente de nuevo.',
  ),
})

export const meta: Route.MetaFunction = () => [
  { title: 'Configurar verificación en dos pasos · Rúbrica' },
]

/** Steps up first: the page's script requests the key right away. */
export function loader({ url, context }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  return { returnUrl: returnPathOf(url, context) }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data({ errors, name: values.name ?? '', sentence: errors.response?.[0] }, 422)
  }
  const { name, response } = form.value.value
  const registration = finishWebauthnRegistration(system, actor, {
    response,
    ...(name && { name }),
  })
  const answer = await refusalOf(registration)
  if (!answer.ok) return data({ sentence: answer.sentence, name: name ?? '' }, answer.init)
  return factorAdded(context, answer.value, returnPathOf(url, context), 'key-added')
}

type Answer = { sentence?: string | undefined; errors?: FormErrors; name?: string }

export default function SetupKey({ loaderData, actionData }: Route.ComponentProps) {
  const { sentence, errors, name }: Answer = actionData ?? {}
  return (
    <StandaloneSheet
      title="Configurar verificación en dos pasos"
      isSignedIn
      links={
        <PageLink to={address('/setup-mfa', { returnUrl: loaderData.returnUrl })}>
          Elegir otra forma
        </PageLink>
      }
    >
      <p className={css.lead}>
        Conecte su llave y tóquela cuando parpadee. El nombre le sirve para reconocerla después.
      </p>
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <TextField
          name="name"
          label="Nombre de la llave"
          help="Como “Llave de la oficina”. Sin nombre, se llamará como su modelo."
          autoComplete="off"
          size="md"
          maxLength={60}
          defaultValue={name ?? ''}
          errors={errors?.name}
        />
        <SecurityKeyButton purpose="register" />
      </PostForm>
    </StandaloneSheet>
  )
}
