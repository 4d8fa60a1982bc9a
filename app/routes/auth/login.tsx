import { data, redirect, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { setCookie } from '#app/http/cookies.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import { worded } from '#app/http/worded.ts'
import { labels } from '#app/messages.ts'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PasswordField } from '#app/ui/password-field.tsx'
import { StandaloneSheet } from '#app/ui/standalone-sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import type { Route } from './+types/login'
import css from './login.module.css'

const Form = z.object({
  email: worded(SignIn.shape.email, 'Escriba su correo completo, como nombre@notaria.mx.'),
  password: worded(SignIn.shape.password, 'Escriba su contraseña.'),
})

export const meta: Route.MetaFunction = () => [{ title: 'Iniciar Sesión · Rúbrica' }]

export function loader({ url, context }: Route.LoaderArgs) {
  if (context.get(actorContext).kind === 'person') throw redirect(wayOn(url, context))
  return null
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ sentence: form.sentence }, form.status)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data({ errors, email: values.email }, 422)
  }
  const { email } = form.value.value
  const answer = await refusalOf(
    signIn(context.get(systemContext), context.get(actorContext), form.value.value),
  )
  if (!answer.ok) return data({ sentence: answer.sentence, email }, answer.status)
  const outcome = answer.value
  switch (outcome.kind) {
    case 'refused':
      return data({ sentence: 'El correo o la contraseña no son correctos.', email }, 401)
    case 'signed-in': {
      const { token, session } = outcome
      const seconds = Math.floor((session.expiresAt - session.createdAt) / 1000)
      return redirectDocument(wayOn(url, context), {
        status: 303,
        headers: { 'Set-Cookie': setCookie('__Host-session', token, seconds) },
      })
    }
  }
}

function wayOn(url: URL, context: Route.LoaderArgs['context']): string {
  const { publicOrigin } = context.get(systemContext).settings
  return safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, '/dashboard')
}

type Answer = {
  sentence?: string
  email?: string | undefined
  errors?: Record<string, string[] | undefined>
}

export default function Login({ actionData }: Route.ComponentProps) {
  const { sentence, email, errors }: Answer = actionData ?? {}
  return (
    <StandaloneSheet title={labels.signIn}>
      <form method="post" className={css.form} noValidate>
        <CsrfField />
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <TextField
          name="email"
          type="email"
          label="Correo electrónico"
          autoComplete="username"
          spellCheck={false}
          size="md"
          required
          autoFocus={!email}
          defaultValue={email ?? ''}
          errors={errors?.email}
        />
        <PasswordField
          name="password"
          label="Contraseña"
          autoComplete="current-password"
          autoFocus={!!email}
          size="md"
          required
          errors={errors?.password}
        />
        <SubmitButton size="md" fullWidth>
          {labels.signIn}
        </SubmitButton>
      </form>
    </StandaloneSheet>
  )
}
