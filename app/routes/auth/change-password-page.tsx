import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { returnPathOf, sessionHeaders } from '#app/http/sign-in-redirects.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import type { Strength } from '#app/ui/forms/password-strength.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { ChangePassword, changePassword } from '#server/features/auth/change-password.ts'
import type { Route } from './+types/change-password-page'
import css from './login.module.css'
import { isTypedTwice, newPasswordFields, strengthOf, TYPED_TWICE } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

const Form = z
  .object({
    currentPassword: withSentence(
      ChangePassword.shape.current,
      'Escriba la contraseña que usa hoy.',
    ),
    ...newPasswordFields,
  })
  .refine(isTypedTwice, TYPED_TWICE)

export const meta: Route.MetaFunction = () => [{ title: 'Cambiar contraseña · Rúbrica' }]

export const headers = noStore

export function loader({ url, context }: Route.LoaderArgs) {
  const { duty } = mustBeSignedIn(context.get(actorContext))
  return {
    isAsked: duty === 'change-password',
    returnUrl: returnPathOf(url, context, '/dashboard/profile'),
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)

  const { currentPassword: current, newPassword: password } = form.value.value
  const answer = await refusalOf(changePassword(system, actor, { current, password }))
  if (answer.ok) {
    const headers = sessionHeaders(context, answer.value.tokens)
    headers.append('Set-Cookie', flash('password-changed'))
    return redirectDocument(returnPathOf(url, context, '/dashboard/profile'), {
      status: 303,
      headers,
    })
  }
  switch (answer.code) {
    case 'wrong-password':
      return data({ errors: { currentPassword: [answer.sentence] } }, answer.init)
    case 'weak-password': {
      const strength = await strengthOf(context, { password })
      return data({ errors: { newPassword: [answer.sentence] }, strength }, answer.init)
    }
    default:
      return data({ sentence: answer.sentence }, answer.init)
  }
}

type Answer = { sentence?: string; errors?: FormErrors; strength?: Strength | undefined }

export default function ChangeOwnPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { isAsked, returnUrl } = loaderData
  const { sentence, errors, strength }: Answer = actionData ?? {}
  return (
    <StandaloneSheet
      title="Cambiar contraseña"
      isSignedIn
      links={!isAsked && <PageLink to={returnUrl}>Cancelar</PageLink>}
    >
      {isAsked && (
        <Notice tone="note" isLive={false}>
          El administrador de su notaría pide que cambie su contraseña antes de continuar.
        </Notice>
      )}
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <PasswordField
          name="currentPassword"
          label="Contraseña actual"
          autoComplete="current-password"
          size="md"
          required
          autoFocus
          errors={errors?.currentPassword}
        />
        <NewPasswordFields errors={errors} strength={strength} />
        <p className={css.quiet}>Al cambiarla se cierran sus demás sesiones.</p>
        <SubmitButton size="md" fullWidth>
          Cambiar contraseña
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
