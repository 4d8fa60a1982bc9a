import { data, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { activationLinkCookie } from '#app/http/cookies/activation-link-cookie.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { inviteUser } from '#server/features/users/invite-user.ts'
import type { Route } from './+types/new'
import { type FaultyForm, faultOf } from './faulty-form.ts'
import { UserFields } from './user-fields.tsx'
import { UserForm } from './user-form.ts'

export const handle = { hydrate: true, label: 'Invitar a una persona' }

export const meta: Route.MetaFunction = () => [{ title: 'Invitar a una persona · Rúbrica' }]

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, UserForm))
  const typed = typedIn(context)
  if (!form.ok) return data(faultOf('invite', form.errors, typed), 422)
  const work = inviteUser(system, actor, form.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.code !== 'address-taken') await orErrorPage(work)
    return data(faultOf('invite', { email: [answer.sentence] }, typed), answer.init)
  }
  const { user, link } = answer.value
  const headers = new Headers()
  headers.append('Set-Cookie', activationLinkCookie(context, link))
  headers.append('Set-Cookie', flash('user-invited'))
  return redirectDocument(`/dashboard/users/${user.id}`, { status: 303, headers })
}

export default function NewUser({ actionData }: Route.ComponentProps) {
  const { errors, values }: Partial<FaultyForm> = actionData ?? {}
  return (
    <>
      <PageHead
        title="Invitar a una persona"
        lead="Recibirá un código para entrar por primera vez y elegir su contraseña, que nadie más conocerá."
      />
      <Sheet>
        <PostForm action="/dashboard/users/new" className={`${form.form} ${form.long}`} noValidate>
          <FormRefusal errors={errors?.form} />
          <UserFields values={values ?? {}} errors={errors} />
          <SubmitButton>Invitar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
