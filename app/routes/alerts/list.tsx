import { data, redirect } from 'react-router'
import { z } from 'zod'
import { alertRow } from '#app/http/alert-row.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { flashWithUndo } from '#app/http/cookies/undo-offer.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { address } from '#app/ui/text/address.ts'
import { countText } from '#app/ui/text/count-text.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { AlertId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { readAlert } from '#server/features/alerts/read-alert.ts'
import { ReadAllAlerts, readAllAlerts } from '#server/features/alerts/read-all-alerts.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/list'
import { AlertGroups } from './alert-groups.tsx'
import css from './list.module.css'

const PATH = '/dashboard/alerts'

const { show, behind, limit } = ListAlerts.shape
const PAGE = limit.parse(undefined)

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ show: show.catch('waiting'), behind: behind.catch(undefined) })

const ChangeAlert = z.union([
  z.strictObject({ alertId: AlertId, to: z.enum(['read', 'resolved']) }),
  z.strictObject({
    until: z.coerce.number().pipe(ReadAllAlerts.shape.until),
    to: z.literal('all'),
  }),
])

export const handle = { hydrate: true, label: 'Alertas' }

export const meta: Route.MetaFunction = () => [{ title: 'Alertas · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const isLaterPage = query.behind !== undefined
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listAlerts(system, actor, { ...query, limit: PAGE }))
  return {
    rows: page.alerts.map((alert) => alertRow(alert, timeZone)),
    next: page.next,
    counts: page.counts,
    hasUnread: page.hasUnread,
    // A later one was not on the page, also if its transaction was about to commit.
    seenAt: isLaterPage ? undefined : page.alerts[0]?.at,
    show: query.show,
    isLaterPage,
    hasOfficeOnes: isAllowed(mustBeSignedIn(actor).roles, 'alerts.read-office'),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, ChangeAlert))
  if (!form.ok) return data(null, 422)
  const change = form.value
  if (change.to === 'read') {
    await orErrorPage(readAlert(system, actor, change))
    return redirect(PATH, 303)
  }
  if (change.to === 'all') {
    const { hasMore } = await orErrorPage(readAllAlerts(system, actor, change))
    return redirectWith(flash(hasMore ? 'some-alerts-read' : 'alerts-read'))
  }
  const resolved = await orErrorPage(resolveAlert(system, actor, change))
  const undo = resolved && { kind: 'alert' as const, ...resolved }
  return redirectWith(flashWithUndo(context, 'alert-resolved', undo))
}

const redirectWith = (cookie: string) =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': cookie } })

export default function Alerts({ loaderData }: Route.ComponentProps) {
  const { rows, next, counts, show, isLaterPage, hasOfficeOnes, hasUnread, seenAt } = loaderData
  const isWaiting = show === 'waiting'
  return (
    <>
      <PageHead
        title="Alertas"
        lead={
          hasOfficeOnes
            ? 'Lo que conviene saber de su cuenta y de la notaría.'
            : 'Lo que conviene saber de su cuenta.'
        }
        action={<PageLink to="/dashboard/profile/alerts">Recibirlas por correo</PageLink>}
      />
      <div className={css.head}>
        <Chips
          label="Alertas"
          chips={[
            {
              to: PATH,
              name: 'Pendientes',
              count: countText(counts.waiting),
              isActive: isWaiting,
            },
            {
              to: address(PATH, { show: 'resolved' }),
              name: 'Atendidas',
              count: countText(counts.resolved),
              isActive: !isWaiting,
            },
          ]}
        />
        {isWaiting && hasUnread && seenAt !== undefined && (
          <PostForm action={PATH} preventScrollReset>
            <input type="hidden" name="until" value={seenAt} />
            <SubmitButton variant="default" size="xs" name="to" value="all">
              Marcar todas como leídas
            </SubmitButton>
          </PostForm>
        )}
      </div>
      {rows.length > 0 ? (
        <AlertGroups
          rows={rows}
          {...(isWaiting && { actions: ({ id, state }) => <AlertActions id={id} state={state} /> })}
        />
      ) : (
        <EmptyState>
          {isWaiting ? 'No hay alertas pendientes.' : 'Todavía no se atiende ninguna alerta.'}
        </EmptyState>
      )}
      <Paging
        of="alertas"
        newer={isLaterPage ? address(PATH, { show }) : undefined}
        older={next && address(PATH, { show, behind: next })}
      />
    </>
  )
}

function AlertActions({ id, state }: { id: string; state: string }) {
  return (
    <PostForm action={PATH} className={css.actions} preventScrollReset>
      <input type="hidden" name="alertId" value={id} />
      {state === 'open' && (
        <SubmitButton variant="default" size="xs" name="to" value="read">
          Marcar como leída
        </SubmitButton>
      )}
      <SubmitButton variant="default" size="xs" name="to" value="resolved">
        Marcar como atendida
      </SubmitButton>
    </PostForm>
  )
}
