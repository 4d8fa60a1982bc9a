import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { RetentionState } from '#server/domain/care/retention.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { ListRetention, listRetention } from '#server/features/retention/list-retention.ts'
import { retentionStatesOfMany } from '#server/words/care/retention.ts'
import type { Route } from './+types/list'
import { RETENTION_PATH as PATH } from './retention-path.ts'
import { retentionView } from './retention-view.ts'

const { state, behind } = ListRetention.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ state: state.catch('proposed'), behind: behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Conservación' }

export const meta: Route.MetaFunction = () => [{ title: 'Conservación · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = Query.parse(Object.fromEntries(url.searchParams))
  const { office, items, next } = await orErrorPage(listRetention(system, actor, asked))
  return {
    rows: items.map((item) => retentionView(item, office.timeZone)),
    next,
    state: asked.state,
    states: RetentionState.options.map((state) => ({ state, name: retentionStatesOfMany[state] })),
    isLaterPage: asked.behind !== undefined,
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'office.manage'),
  }
}

const COLUMNS = [{ name: 'Documento' }, { name: 'Tipo' }, { name: 'Terminó' }, { name: 'Desde' }]
const UNTIL = { name: 'Hasta' }

export default function RetentionList({ loaderData }: Route.ComponentProps) {
  const { rows, next, state, states, isLaterPage, canManage } = loaderData
  const hasUntil = rows.some(({ until }) => until)
  return (
    <>
      <PageHead
        title="Conservación"
        lead={
          <>
            Documentos rechazados o cancelados cuyo plazo terminó. Nada se destruye solo: una
            persona los bloquea y otra, después, los destruye.{' '}
            {canManage && (
              <PageLink to="/dashboard/settings/retention">Cambiar los plazos</PageLink>
            )}
          </>
        }
      />
      <div className={toolbar.toolbar}>
        <Chips
          label="Estado"
          chips={states.map((one) => ({
            to: address(PATH, { state: one.state }),
            name: one.name,
            isActive: one.state === state,
          }))}
        />
      </div>
      {rows.length > 0 ? (
        <Table
          caption="Documentos cuyo plazo terminó"
          columns={hasUntil ? [...COLUMNS, UNTIL] : COLUMNS}
        >
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.folio}</PageLink> {row.title}
              </Cell>
              <Cell label="Tipo">{row.kind}</Cell>
              <Cell label="Terminó">{row.ended}</Cell>
              <Cell label="Desde" isWhole>
                {row.since}
              </Cell>
              {hasUntil && (
                <Cell {...(row.until && { label: 'Hasta' })} isWhole>
                  {row.until}
                </Cell>
              )}
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState>Ningún documento está en este estado.</EmptyState>
      )}
      <Paging
        of="documentos"
        newer={isLaterPage ? address(PATH, { state }) : undefined}
        older={next && address(PATH, { state, behind: next })}
      />
    </>
  )
}
