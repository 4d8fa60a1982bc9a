import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  calendarCookie,
  clearCalendarCookie,
  readCalendarCookie,
} from '#app/http/cookies/calendar-cookie.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { formatInstant } from '#server/domain/time.ts'
import {
  createCalendarFeed,
  readCalendarFeed,
  revokeCalendarFeed,
} from '#server/features/obligations/calendar-feed.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/calendar-page'
import { lastUse } from './factors-view.ts'
import css from './own.module.css'

const PAGE = '/dashboard/profile/calendar'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Mi calendario · Rúbrica' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const feed = await orErrorPage(readCalendarFeed(system, actor))
  const secret = readCalendarCookie(request, context)
  const view = {
    fresh: secret ? `${system.settings.publicOrigin}/calendar/${secret}.ics` : null,
    feed: feed
      ? {
          created: formatInstant(feed.createdAt, timeZone),
          used: lastUse(feed.lastUsedAt, timeZone),
        }
      : null,
  }
  return data(view, secret ? { headers: { 'Set-Cookie': clearCalendarCookie() } } : {})
}

const Change = z.object({ change: z.enum(['create', 'revoke']) })

type Answer = { sentence?: string }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Change))
  if (!read.ok) return data<Answer>({}, 422)
  const headers = new Headers()
  if (read.value.change === 'create') {
    const work = createCalendarFeed(system, actor)
    const answer = await refusalOrStepUp({ request, url, context }, work)
    if (!answer.ok) return data<Answer>({ sentence: answer.sentence }, answer.init)
    headers.append('Set-Cookie', calendarCookie(context, answer.value))
  } else {
    await orErrorPage(revokeCalendarFeed(system, actor))
    headers.append('Set-Cookie', flash('calendar-feed-revoked'))
  }
  return redirect(PAGE, { status: 303, headers })
}

export default function CalendarPage({ loaderData, actionData }: Route.ComponentProps) {
  const { fresh, feed } = loaderData
  const { sentence }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Mi calendario"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        {fresh && (
          <Notice tone="good" title="Copie ahora la dirección de su calendario">
            <p>
              <code className={css.secret}>{fresh}</code>
            </p>
            <p>No se volverá a mostrar: si se pierde, cree otra.</p>
          </Notice>
        )}
        <Sheet title="Dirección secreta">
          <p className={css.quiet}>
            Con ella, el calendario de su teléfono o de su correo muestra lo que está pendiente en
            Obligaciones: el nombre de la obligación, el folio y el tipo de cada documento. Quien la
            conozca puede leerlo, sin entrar a Rúbrica: no la comparta.
          </p>
          {feed ? (
            <>
              <p>Creada el {feed.created}</p>
              <p className={css.quiet}>{feed.used}</p>
              <PostForm>
                <input type="hidden" name="change" value="revoke" />
                <SubmitButton color="bad" variant="light">
                  Revocar dirección
                </SubmitButton>
              </PostForm>
            </>
          ) : (
            <EmptyState>Su calendario no tiene dirección.</EmptyState>
          )}
        </Sheet>
        <Sheet title={feed ? 'Otra dirección' : 'Crear'}>
          <p className={css.quiet}>
            {feed
              ? 'La anterior deja de servir en cuanto se crea otra.'
              : 'Péguela en su programa de calendario, donde dice agregar por URL o suscribirse.'}
          </p>
          <PostForm>
            <input type="hidden" name="change" value="create" />
            <SubmitButton>{feed ? 'Crear otra dirección' : 'Crear dirección'}</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
