import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { addObligation } from '#server/features/obligations/add-obligation.ts'
import type { Route } from './+types/new'
import { ObligationFields } from './obligation-fields.tsx'
import { NewObligationForm } from './obligation-form.ts'
import css from './obligations.module.css'

const PATH = '/dashboard/settings/obligations'

export const handle = { hydrate: true, label: 'Agregar obligación' }

export const meta: Route.MetaFunction = () => [{ title: 'Agregar obligación · Rúbrica' }]

export const loader = () => ({ once: newOnce() })

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, NewObligationForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const answer = await refusalOnPage(addObligation(system, actor, read.value))
  if (answer.ok)
    return redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash('obligation-added') } })
  const field = answer.code === 'obligation-known' ? 'name' : 'form'
  return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
}

export default function NewObligation({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values = {} }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Agregar obligación"
        lead={<PageLink to={PATH}>Volver a los plazos y fuentes</PageLink>}
      />
      <Sheet>
        <p className={css.lead}>Vale para los documentos que se firmen desde ahora.</p>
        <PostForm className={`${form.form} ${form.long}`} noValidate>
          <OnceField once={loaderData.once} />
          <FormRefusal errors={errors?.form} />
          <ObligationFields values={values} errors={errors} basis={undefined} />
          <SubmitButton>Agregar obligación</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
