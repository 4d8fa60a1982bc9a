import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { codeField, sealedCode, withoutFragment, withSealedCode } from '#app/http/code-field.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { signInRedirect, withReturnUrl } from '#app/http/sign-in-redirects.ts'
import { labels } from '#app/messages/labels.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CodeFields } from '#app/ui/forms/code-fields.tsx'
import type { Strength } from '#app/ui/forms/password-strength.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { activateAccount } from '#server/features/auth/activate-account.ts'
import type { FirstFactorOutcome } from '#server/features/auth/complete-first-factor.ts'
import { isInstalled } from '#server/features/auth/offer-installation.ts'
import type { Route } from './+types/activate'
import css from './login.module.css'
import { isTypedTwice, newPasswordFields, strengthOf, TYPED_TWICE } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

const Form = z.object({ code: codeField, ...newPasswordFields }).refine(isTypedTwice, TYPED_TWICE)

export const meta: Route.MetaFunction = () => [{ title: 'Activar cuenta · Rúbrica' }]

export const headers = noStore

/** Opening a link does not use it up: mail scanners open it first. */
export async function loader({ context }: Route.LoaderArgs) {
  if (!(await isInstalled(context.get(systemContext))))
    // The browser keeps the fragment with the code.
    throw redirectDocument('/activate/installation')
  return null
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, withSealedCode(context, Form)))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data({ errors, kept: sealedCode(context, values) }, 422)
  }
  const { code, newPassword: password } = form.value.value
  const answer = await refusalOf(activateAccount(system, actor, { code, password }))
  if (answer.ok)
    return withoutFragment(signInRedirect(context, answer.value, firstPage(answer.value)))
  switch (answer.code) {
    case 'link-spent':
      return data({ errors: { code: [answer.sentence] } }, answer.init)
    case 'weak-password': {
      const strength = await strengthOf(context, { password, code })
      const errors = { newPassword: [answer.sentence] }
      return data({ errors, strength, kept: sealedCode(context, { code }) }, answer.init)
    }
    default:
      return data({ sentence: answer.sentence, kept: sealedCode(context, { code }) }, answer.init)
  }
}

/** New users set up a second factor first, or postpone it where the office allows that. */
function firstPage(outcome: FirstFactorOutcome): string {
  const isNew = outcome.kind === 'signed-in' && outcome.duty === null
  return isNew ? withReturnUrl('/setup-mfa', '/dashboard') : '/dashboard'
}

type Answer = {
  sentence?: string
  errors?: FormErrors
  strength?: Strength | undefined
  kept?: string | undefined
}

export default function Activate({ actionData }: Route.ComponentProps) {
  const { sentence, errors, strength, kept }: Answer = actionData ?? {}
  return (
    <StandaloneSheet
      title="Activar cuenta"
      links={<PageLink to="/login">{labels.signIn}</PageLink>}
    >
      <p className={css.quiet}>
        Elija su contraseña. Nadie más la conocerá, tampoco el administrador de su notaría.
      </p>
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <CodeFields kept={kept} errors={errors?.code} />
        <NewPasswordFields errors={errors} strength={strength} />
        <SubmitButton size="md" fullWidth>
          Activar cuenta
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
