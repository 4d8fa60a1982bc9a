import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { codeField, sealedCode, withoutFragment, withSealedCode } from '#app/http/code-field.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { officeFields, zoneChoices } from '#app/http/office-form.ts'
import { noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { signInRedirect } from '#app/http/sign-in-redirects.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CodeFields } from '#app/ui/forms/code-fields.tsx'
import { OfficeFields } from '#app/ui/forms/office-fields.tsx'
import type { Strength } from '#app/ui/forms/password-strength.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import {
  ActivateInstallation,
  activateInstallation,
} from '#server/features/auth/activate-installation.ts'
import { isInstalled } from '#server/features/auth/offer-installation.ts'
import type { Route } from './+types/activate-installation-page'
import { AdministratorFields } from './administrator-fields.tsx'
import css from './login.module.css'
import { isTypedTwice, newPasswordFields, strengthOf, TYPED_TWICE } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

const { shape } = ActivateInstallation

const Form = z
  .object({
    code: codeField,
    ...officeFields,
    firstName: withSentence(shape.firstName, 'Escriba su nombre o nombres.'),
    lastName: withSentence(shape.lastName, 'Escriba sus apellidos.'),
    email: withSentence(shape.email, 'Escriba su correo completo, como nombre@notaria.mx.'),
    rfc: withSentence(shape.rfc, 'Escriba su RFC completo, como PEXA800101AB1.'),
    ...newPasswordFields,
  })
  .refine(isTypedTwice, TYPED_TWICE)

export const meta: Route.MetaFunction = () => [{ title: 'Instalación · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  if (await isInstalled(context.get(systemContext))) throw redirectDocument('/activate')
  return { zones: zoneChoices() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  // Another tab has already created the office.
  if (await isInstalled(system)) return redirectDocument('/login', 303)
  const form = await refusalOf(readForm(request, context, withSealedCode(context, Form)))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data({ errors, values: shown(values), kept: sealedCode(context, values) }, 422)
  }
  const { newPassword: password, confirmPassword: _, ...input } = form.value.value
  const values = shown(input)
  const answer = await refusalOf(activateInstallation(system, actor, { ...input, password }))
  if (answer.ok) return withoutFragment(signInRedirect(context, answer.value, '/dashboard'))
  if (answer.code === 'link-spent') {
    const sentence =
      'El código no es correcto o venció. Detenga el sistema e inícielo de nuevo: mostrará otro enlace.'
    return data({ errors: { code: [sentence] }, values }, answer.init)
  }
  const kept = sealedCode(context, input)
  if (answer.code !== 'weak-password')
    return data({ sentence: answer.sentence, values, kept }, answer.init)
  const strength = await strengthOf(context, { password, words: Object.values(values) })
  return data({ errors: { newPassword: [answer.sentence] }, strength, values, kept }, answer.init)
}

/** The values to show again: neither the code nor a password. */
function shown({ code: _, keptCode: __, ...typed }: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)]))
}

type Answer = {
  sentence?: string
  errors?: FormErrors
  values?: Record<string, string>
  strength?: Strength | undefined
  kept?: string | undefined
}

export default function Installation({ loaderData, actionData }: Route.ComponentProps) {
  const { sentence, errors, values = {}, strength, kept }: Answer = actionData ?? {}
  return (
    <StandaloneSheet title="Instalación" links={false}>
      <p className={css.quiet}>
        Aún no hay ninguna notaría. Regístrela y cree su cuenta con el código de activación, que se
        imprimió donde se inició el servidor.
      </p>
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <CodeFields kept={kept} errors={errors?.code} />
        <fieldset className={css.group}>
          <legend>La notaría</legend>
          <OfficeFields values={values} errors={errors} zones={loaderData?.zones ?? []} size="md" />
        </fieldset>
        <AdministratorFields values={values} errors={errors} />
        <NewPasswordFields errors={errors} strength={strength} />
        <SubmitButton size="md" fullWidth>
          Crear notaría
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
