import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { formatInstant } from '#server/domain/time.ts'
import { disableTotp } from '#server/features/mfa/disable-totp.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/authenticator'
import { lastUse } from './factors-view.ts'
import css from './own.module.css'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Aplicación de autenticación · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { totp } = await orErrorPage(listFactors(system, actor))
  // Removed in another tab, or never set up: the profile shows it.
  if (!totp) throw redirect('/dashboard/profile')
  return {
    added: formatInstant(totp.since, timeZone),
    used: lastUse(totp.lastUsed ?? null, timeZone),
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  await orErrorPage(readForm(request, context, z.object({})))
  const removing = disableTotp(context.get(systemContext), context.get(actorContext))
  const answer = await refusalOrStepUp({ request, context, url }, removing)
  if (!answer.ok && answer.code !== 'not-found')
    return data({ sentence: answer.sentence }, answer.init)
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash('app-removed') },
  })
}

export default function Authenticator({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Aplicación de autenticación"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        {actionData && <Notice tone="bad">{actionData.sentence}</Notice>}
        <Sheet>
          <FactList>
            <Fact name="Agregada">{loaderData.added}</Fact>
            <Fact name="Uso">{loaderData.used}</Fact>
          </FactList>
        </Sheet>
        <Sheet title="Teléfono nuevo">
          <p className={css.quiet}>
            La aplicación del teléfono nuevo sustituye a la actual en cuanto muestre su primer
            código.
          </p>
          <ButtonLink
            to={address('/setup-mfa', { returnUrl: '/dashboard/profile' })}
            variant="default"
          >
            Configurar otro teléfono
          </ButtonLink>
        </Sheet>
        <Sheet title="Quitar">
          <p className={css.quiet}>
            Los códigos de la aplicación dejan de abrir su cuenta. Si es su única verificación,
            también dejan de servir los códigos de respaldo.
          </p>
          <PostForm>
            <SubmitButton color="bad" variant="light">
              Quitar aplicación
            </SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
