import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readCookie } from '#app/http/cookies/cookies.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import type { PageHandle } from '#app/http/page-handle.ts'
import { noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { returnPathOf, signInRedirect } from '#app/http/sign-in-redirects.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { labels } from '#app/messages/labels.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readSignIn } from '#server/features/auth/read-sign-in.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import type { Route } from './+types/login'
import css from './login.module.css'

const Form = z.object({
  email: withSentence(SignIn.shape.email, 'Escriba su correo completo, como nombre@notaria.mx.'),
  password: withSentence(SignIn.shape.password, 'Escriba su contraseña.'),
})

export const handle: PageHandle = { isShared: true }

export const meta: Route.MetaFunction = () => [{ title: 'Iniciar Sesión · Rúbrica' }]

export const headers = noStore

/** Fills in the address of a sign-in whose second step has expired. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  if (context.get(actorContext).kind === 'person')
    throw redirectDocument(returnPathOf(url, context))
  const token = readCookie(request, '__Host-sign-in')
  const begun = await readSignIn(context.get(systemContext), token)
  return { email: begun?.email ?? '' }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  // Another tab has signed in meanwhile.
  if (actor.kind === 'person') return redirectDocument(returnPathOf(url, context), 303)
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data({ errors, email: values.email ?? '' }, 422)
  }
  const { email } = form.value.value
  const answer = await refusalOf(signIn(system, actor, form.value.value))
  if (!answer.ok) return data({ sentence: answer.sentence, email }, answer.init)
  const outcome = answer.value
  switch (outcome.kind) {
    case 'refused':
      return data({ sentence: 'El correo o la contraseña no son correctos.', email }, 401)
    case 'second-factor-next':
    case 'signed-in':
      return signInRedirect(context, outcome, returnPathOf(url, context))
  }
}

type Answer = { sentence?: string; email?: string; errors?: FormErrors }

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const answer: Answer = actionData ?? {}
  const email = answer.email ?? loaderData?.email ?? ''
  return (
    <StandaloneSheet
      title={labels.signIn}
      links={
        <>
          <PageLink to="/activate">Activar una cuenta</PageLink>
          <PageLink to="/verify/document">{labels.verifyDocument}</PageLink>
        </>
      }
    >
      <PostForm className={css.form} noValidate>
        {answer.sentence && <Notice tone="bad">{answer.sentence}</Notice>}
        <TextField
          name="email"
          type="email"
          label="Correo electrónico"
          autoComplete="username"
          spellCheck={false}
          size="md"
          required
          autoFocus={!email}
          defaultValue={email}
          errors={answer.errors?.email}
        />
        <PasswordField
          name="password"
          label="Contraseña"
          autoComplete="current-password"
          autoFocus={!!email}
          size="md"
          required
          errors={answer.errors?.password}
        />
        <SubmitButton size="md" fullWidth>
          {labels.signIn}
        </SubmitButton>
        <p className={css.quiet}>
          ¿Olvidó su contraseña? Pida un enlace nuevo al administrador de su notaría.
        </p>
      </PostForm>
    </StandaloneSheet>
  )
}
