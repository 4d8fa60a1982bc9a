import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  ChooseAlertMail,
  chooseAlertMail,
  readAlertMail,
} from '#server/features/alerts/choose-alert-mail.ts'
import { alertMailChoices } from '#server/words/alerts.ts'
import type { Route } from './+types/alert-mail-page'
import css from './own.module.css'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Alertas por correo · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const choices = Object.entries(alertMailChoices).map(([value, label]) => ({ value, label }))
  return { chosen: await orErrorPage(readAlertMail(system, actor)), choices }
}

const Fields = z.object({
  mail: withSentence(ChooseAlertMail.shape.mail, 'Elija cómo recibir las alertas.'),
})

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await orErrorPage(chooseAlertMail(system, actor, read.value))
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash('alert-mail-chosen') },
  })
}

export default function AlertMailPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Alertas por correo"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.quiet}>
            Los avisos sobre el acceso a su cuenta, como un cambio de contraseña, llegan siempre en
            cuanto ocurren. El resumen se envía a las 7 de la mañana, solo si hay algo nuevo.
          </p>
          <PostForm className={form.form}>
            <SelectField
              name="mail"
              label="Las demás alertas"
              data={loaderData.choices}
              defaultValue={loaderData.chosen}
              errors={actionData?.errors.mail}
            />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
