import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { MOST_ROLES } from '#server/domain/signing/act/act.ts'
import { addAct } from '#server/features/acts/add-act.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/new-act'
import { ActFields } from './act-fields.tsx'
import { NewActForm } from './act-form.ts'

const PATH = '/dashboard/settings/acts'

export const handle = { hydrate: true, label: 'Agregar acto' }

export const meta: Route.MetaFunction = () => [{ title: 'Agregar acto · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  return { entity, rows: MOST_ROLES, once: newOnce() }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const read = await orErrorPage(readForm(request, context, NewActForm(entity)))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { once, act } = read.value
  const work = addAct(system, actor, { data: act, once })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    const field = answer.code === 'act-known' ? 'name' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
  }
  return redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash('act-added') } })
}

export default function NewAct({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead title="Agregar acto" lead={<PageLink to={PATH}>Volver a los actos</PageLink>} />
      <Sheets>
        <Sheet>
          <PostForm className={`${form.form} ${form.long}`} noValidate>
            <OnceField once={loaderData.once} />
            <FormRefusal errors={errors?.form} />
            <ActFields
              values={values ?? {}}
              errors={errors}
              entity={loaderData.entity}
              rows={loaderData.rows}
            />
            <SubmitButton>Agregar acto</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
