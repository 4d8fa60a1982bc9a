import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { countText } from '#app/ui/text/count-text.ts'
import { Email } from '#app/ui/text/email.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { MailState } from '#server/domain/mail/mail.ts'
import { zoneName } from '#server/domain/time.ts'
import { ListOutbox, listOutbox } from '#server/features/mail/list-outbox.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/outbox-page'
import { MAIL_STATES, mailView } from './mail-view.ts'
import css from './outbox-page.module.css'

const PATH = '/dashboard/settings/outbox'

const { state, behind } = ListOutbox.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ state: state.catch(undefined), behind: behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Correos' }

export const meta: Route.MetaFunction = () => [{ title: 'Correos · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listOutbox(system, actor, query))
  const most = page.mostCounted
  const all = Object.values(page.counts).reduce((sum, count) => sum + count, 0)
  return {
    rows: page.mail.map((mail) => mailView(mail, timeZone)),
    zone: zoneName(timeZone),
    next: page.next,
    chips: [
      {
        to: PATH,
        name: 'Todos',
        count: countText(all, most),
        isActive: query.state === undefined,
      },
      ...MailState.options.map((one) => {
        const count = page.counts[one] ?? 0
        return {
          to: address(PATH, { state: one }),
          name: MAIL_STATES[one].ofMany,
          count: countText(count, most),
          isActive: query.state === one,
        }
      }),
    ],
    state: query.state,
    isSending: page.isSending,
    isLaterPage: query.behind !== undefined,
  }
}

const columnsIn = (zone: string) => [
  { name: 'Estado' },
  { name: 'Asunto' },
  { name: 'Para' },
  { name: 'Clase' },
  { name: `Creado (${zone})`, isNumber: true },
]

export default function Outbox({ loaderData }: Route.ComponentProps) {
  const { rows, zone, next, chips, state, isSending, isLaterPage } = loaderData
  return (
    <>
      <PageHead
        title="Correos"
        lead={
          <>
            Lo que el sistema escribe a las personas.{' '}
            <PageLink to="/dashboard/settings">Volver a Configuración</PageLink>
          </>
        }
      />
      {!isSending && (
        <Notice tone="note" isLive={false} title="No hay servidor de correo">
          Los correos esperan aquí y no se envían. Abra uno para leerlo y entregarlo por otro medio.
          El servidor se indica en{' '}
          <PageLink to="/dashboard/settings/mail">Servidor de correo</PageLink>.
        </Notice>
      )}
      <div className={css.chips}>
        <Chips label="Estado" chips={chips} />
      </div>
      {rows.length > 0 ? (
        <Table caption="Correos" columns={columnsIn(zone)}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell>
                <Badge tone={row.tone}>{row.word}</Badge>
                {row.because && <p className={css.quiet}>{row.because}</p>}
              </Cell>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.subject}</PageLink>
              </Cell>
              <Cell label="Para">
                {row.to.name}
                <br />
                <span className={css.quiet}>
                  <Email address={row.to.address} />
                </span>
              </Cell>
              <Cell label="Clase">{row.kind}</Cell>
              <Cell label={`Creado (${zone})`} isNumber isWhole>
                <Time at={row.createdAt}>{row.createdMinute}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState>No hay correos.</EmptyState>
      )}
      <Paging
        of="correos"
        newer={isLaterPage ? address(PATH, { state }) : undefined}
        older={next && address(PATH, { state, behind: next })}
      />
    </>
  )
}
