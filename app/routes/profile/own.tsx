import { data, Form, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { answering } from '#app/http/problems.ts'
import { roles } from '#app/messages.ts'
import { Badge } from '#app/ui/badge.tsx'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import { Fact, FactList } from '#app/ui/fact-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { PageHead } from '#app/ui/page-head.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { ThemeSwitch } from '#app/ui/theme-switch.tsx'
import { Time } from '#app/ui/time.tsx'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatInstant } from '#server/domain/time.ts'
import { EndSession, endSession } from '#server/features/auth/end-session.ts'
import { listOwnSessions } from '#server/features/auth/list-own-sessions.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/own'
import css from './own.module.css'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Mi Perfil · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const person = mustBeSignedIn(actor)
  const { timeZone, name } = await answering(readOffice(system, actor))
  const sessions = await answering(listOwnSessions(system, actor))
  return {
    name: fullName(person),
    rfc: person.rfc,
    roles: person.roles.map((role) => roles[role]).join(', '),
    officeName: name,
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

export async function action({ request, context }: Route.ActionArgs) {
  const form = await answering(readForm(request, context, EndSession))
  if (!form.ok) return data(null, 422)
  await answering(endSession(context.get(systemContext), context.get(actorContext), form.value))
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash('session-ended') },
  })
}

export default function OwnProfile({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Mi Perfil" />
      <div className={css.sheets}>
        <Sheet title="Datos">
          <FactList>
            <Fact name="Nombre">{loaderData.name}</Fact>
            <Fact name="RFC">{loaderData.rfc}</Fact>
            <Fact name="Roles">{loaderData.roles}</Fact>
            <Fact name="Notaría">{loaderData.officeName}</Fact>
          </FactList>
        </Sheet>
        <Sheet title="Mis sesiones">
          <ul className={css.sessions}>
            {loaderData.sessions.map((session) => (
              <li key={session.id}>
                <Icon name="device" size={24} />
                <div>
                  <strong>{session.device}</strong>{' '}
                  {session.place === 'here' && <Badge tone="good">Esta sesión</Badge>}
                  <p>
                    {session.ip} · inició el {session.began}
                  </p>
                  <p>
                    Última actividad: <Time at={session.lastSeenAt}>{session.seen}</Time>
                  </p>
                </div>
                {session.place === 'elsewhere' && (
                  <Form method="post">
                    <CsrfField />
                    <input type="hidden" name="sessionId" value={session.id} />
                    <SubmitButton variant="default">Cerrar esta sesión</SubmitButton>
                  </Form>
                )}
              </li>
            ))}
          </ul>
        </Sheet>
        <Sheet title="Tema">
          <ThemeSwitch />
        </Sheet>
      </div>
    </>
  )
}
