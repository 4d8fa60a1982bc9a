import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { ThemeSwitch } from '#app/ui/frame/theme-switch.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatInstant } from '#server/domain/time.ts'
import { readAlertMail } from '#server/features/alerts/choose-alert-mail.ts'
import { EndSession, endSession } from '#server/features/auth/end-session.ts'
import { mayHaveOtherAccounts } from '#server/features/auth/list-own-accounts.ts'
import { listOwnSessions } from '#server/features/auth/list-own-sessions.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import { listWebauthnCredentials } from '#server/features/mfa/list-webauthn-credentials.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { readOwnData } from '#server/features/users/read-own-data.ts'
import { alertMailChoices } from '#server/words/alerts.ts'
import { roles } from '#server/words/people.ts'
import type { Route } from './+types/own'
import { factorsView } from './factors-view.ts'
import css from './own.module.css'
import { OwnFactors } from './own-factors.tsx'
import { OwnSessions } from './own-sessions.tsx'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Mi Perfil · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const person = mustBeSignedIn(actor)
  const { timeZone, name } = await orErrorPage(readOffice(system, actor))
  const { email, curp } = await orErrorPage(readOwnData(system, actor))
  const factors = await orErrorPage(listFactors(system, actor))
  const keys = await orErrorPage(listWebauthnCredentials(system, actor))
  const sessions = await orErrorPage(listOwnSessions(system, actor))
  return {
    name: fullName(person),
    email,
    rfc: person.rfc,
    curp,
    roles: person.roles.map((role) => roles[role]).join(', '),
    officeName: name,
    isOneOfSeveral: await orErrorPage(mayHaveOtherAccounts(system, actor)),
    alertMail: alertMailChoices[await orErrorPage(readAlertMail(system, actor))],
    factors: factorsView(factors, keys, timeZone),
    sessions: sessions.map(({ id, device, ip, place, createdAt, lastSeenAt }) => ({
      id,
      device,
      ip,
      place,
      lastSeenAt,
      began: formatInstant(createdAt, timeZone),
      seen: formatInstant(lastSeenAt, timeZone),
    })),
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await orErrorPage(readForm(request, context, EndSession))
  if (!form.ok) return data(null, 422)
  const ending = endSession(context.get(systemContext), context.get(actorContext), form.value)
  await orStepUpPage({ request, context, url }, ending)
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash('session-ended') },
  })
}

export default function OwnProfile({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Mi Perfil" />
      <Sheets>
        <Sheet title="Datos">
          <FactList>
            <Fact name="Nombre">{loaderData.name}</Fact>
            <Fact name="Correo electrónico">{loaderData.email}</Fact>
            <Fact name="RFC">{loaderData.rfc}</Fact>
            <Fact name="CURP">{loaderData.curp}</Fact>
            <Fact name="Roles">{loaderData.roles}</Fact>
            <Fact name="Notaría">{loaderData.officeName}</Fact>
          </FactList>
        </Sheet>
        <Sheet title="Contraseña">
          <p className={css.quiet}>
            Al cambiarla se cierran sus demás sesiones. Nadie más la conoce, tampoco el
            administrador.
          </p>
          <ButtonLink
            to={address('/change-password', { returnUrl: '/dashboard/profile' })}
            variant="default"
          >
            Cambiar contraseña
          </ButtonLink>
        </Sheet>
        <OwnFactors view={loaderData.factors} />
        <OwnSessions sessions={loaderData.sessions} />
        <Sheet title="Tokens de acceso">
          <p className={css.quiet}>
            Dejan entrar al programa que firma con el token PKCS#11 de su equipo.
          </p>
          <ButtonLink to="/dashboard/profile/tokens" variant="default">
            Ver tokens de acceso
          </ButtonLink>
        </Sheet>
        <Sheet title="Mi calendario">
          <p className={css.quiet}>
            Las obligaciones pendientes de la notaría, en el calendario de su teléfono o correo.
          </p>
          <ButtonLink to="/dashboard/profile/calendar" variant="default">
            Ver la dirección
          </ButtonLink>
        </Sheet>
        {loaderData.isOneOfSeveral && (
          <Sheet title="Mis notarías">
            <p className={css.quiet}>
              Si trabaja en varias notarías de este sistema, cambie de una a otra sin escribir la
              contraseña.
            </p>
            <ButtonLink to="/dashboard/profile/offices" variant="default">
              Ver mis notarías
            </ButtonLink>
          </Sheet>
        )}
        <Sheet title="Alertas por correo">
          <p className={css.quiet}>{loaderData.alertMail}.</p>
          <ButtonLink to="/dashboard/profile/alerts" variant="default">
            Elegir cómo recibirlas
          </ButtonLink>
        </Sheet>
        <Sheet title="Tema">
          <ThemeSwitch />
        </Sheet>
      </Sheets>
    </>
  )
}
