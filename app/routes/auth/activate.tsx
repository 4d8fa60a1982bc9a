import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import {
  codeField,
  openedCode,
  sealedCode,
  withoutFragment,
  withSealedCode,
} from '#app/http/code-field.ts'
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
import { findLinkPurpose } from '#server/features/auth/find-link-purpose.ts'
import { isInstalled } from '#server/features/auth/offer-installation.ts'
import type { Route } from './+types/activate'
import css from './login.module.css'
import { isTypedTwice, newPasswordFields, strengthOf, TYPED_TWICE } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

const Form = z.object({ code: codeField, ...newPasswordFields }).refine(isTypedTwice, TYPED_TWICE)

export const meta: Route.MetaFunction = () => [{ title: 'Elegir contraseña · Rúbrica' }]

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
    const kept = sealedCode(context, values)
    return data({ errors, kept, purpose: await purposeOf(context, values) }, 422)
  }
  const { code, newPassword: password } = form.value.value
  const answer = await refusalOf(activateAccount(system, actor, { code, password }))
  if (answer.ok)
    return withoutFragment(signInRedirect(context, answer.value, firstPage(answer.value)))
  if (answer.code === 'link-spent')
    return data({ errors: { code: [answer.sentence] } }, answer.init)
  const purpose = await purposeOf(context, { code })
  switch (answer.code) {
    case 'weak-password': {
      const strength = await strengthOf(context, { password, code })
      const errors = { newPassword: [answer.sentence] }
      return data({ errors, strength, purpose, kept: sealedCode(context, { code }) }, answer.init)
    }
    default:
      return data(
        { sentence: answer.sentence, purpose, kept: sealedCode(context, { code }) },
        answer.init,
      )
  }
}

/** What the link of a form that is shown again is for; the link itself does not say it. */
async function purposeOf(
  context: Route.ActionArgs['context'],
  typed: { code?: unknown; keptCode?: unknown },
): Promise<keyof typeof WORDS> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const code = openedCode(context, typed)
  const found = code && (await refusalOf(findLinkPurpose(system, actor, { code })))
  const purpose = found?.ok ? found.value : undefined
  return purpose === 'activation' || purpose === 'recovery' ? purpose : 'unknown'
}

/** New users set up a second factor first, or postpone it where the office allows that. */
function firstPage(outcome: FirstFactorOutcome): string {
  const isNew = outcome.kind === 'signed-in' && outcome.duty === null
  return isNew ? withReturnUrl('/setup-mfa', '/dashboard') : '/dashboard'
}

const NOBODY_ELSE = 'Nadie más la conocerá, tampoco el administrador de su notaría.'

/** By what the link is for, which is not known before its code was sent. */
const WORDS = {
  unknown: {
    title: 'Elija su contraseña',
    text: `Con el enlace que le dieron activa su cuenta nueva o recupera el acceso a la que ya tiene. Elija una contraseña. ${NOBODY_ELSE}`,
    button: 'Guardar y entrar',
  },
  activation: {
    title: 'Active su cuenta',
    text: `Elija su contraseña. ${NOBODY_ELSE}`,
    button: 'Activar cuenta',
  },
  recovery: {
    title: 'Recupere su acceso',
    text: `Elija una contraseña nueva: la anterior dejará de servir. ${NOBODY_ELSE} Su verificación en dos pasos no cambia.`,
    button: 'Recuperar acceso',
  },
}

type Answer = {
  sentence?: string
  errors?: FormErrors
  strength?: Strength | undefined
  kept?: string | undefined
  purpose?: keyof typeof WORDS
}

export default function Activate({ actionData }: Route.ComponentProps) {
  const { sentence, errors, strength, kept, purpose = 'unknown' }: Answer = actionData ?? {}
  const { title, text, button } = WORDS[purpose]
  return (
    <StandaloneSheet title={title} links={<PageLink to="/login">{labels.signIn}</PageLink>}>
      <p className={css.quiet}>{text}</p>
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <CodeFields kept={kept} errors={errors?.code} purpose="access" />
        <NewPasswordFields errors={errors} strength={strength} />
        <SubmitButton size="md" fullWidth>
          {button}
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
