import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ArcoState } from '#server/domain/care/arco-request.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { ListArcoRequests, listArcoRequests } from '#server/features/arco/list-arco-requests.ts'
import { arcoStatesOfMany } from '#server/words/care/arco.ts'
import type { Route } from './+types/list'
import { ARCO_PATH as PATH } from './arco-path.ts'
import { rowOf } from './arco-view.ts'

const { state, behind } = ListArcoRequests.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ state: state.catch(undefined), behind: behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Solicitudes ARCO' }

export const meta: Route.MetaFunction = () => [{ title: 'Solicitudes ARCO · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = Query.parse(Object.fromEntries(url.searchParams))
  const { requests, today, next } = await orErrorPage(listArcoRequests(system, actor, asked))
  return {
    rows: requests.map((request) => rowOf(request, today)),
    next,
    state: asked.state,
    states: ArcoState.options.map((state) => ({ state, name: arcoStatesOfMany[state] })),
    isLaterPage: asked.behind !== undefined,
    canRecord: isAllowed(mustBeSignedIn(actor).roles, 'arco.record'),
  }
}

const COLUMNS = [
  { name: 'Solicitud' },
  { name: 'Persona' },
  { name: 'Derecho' },
  { name: 'Recibida' },
  { name: 'Plazo' },
]

export default function ArcoList({ loaderData }: Route.ComponentProps) {
  const { rows, next, state, states, isLaterPage, canRecord } = loaderData
  return (
    <>
      <PageHead
        title="Solicitudes ARCO"
        lead="Lo que las personas piden sobre sus datos: acceso, rectificación, cancelación u oposición. Los plazos cuentan días hábiles."
        action={canRecord && <ButtonLink to={`${PATH}/new`}>Registrar solicitud</ButtonLink>}
      />
      <div className={toolbar.toolbar}>
        <Chips
          label="Estado"
          chips={[
            { to: PATH, name: 'Todas', isActive: state === undefined },
            ...states.map((one) => ({
              to: address(PATH, { state: one.state }),
              name: one.name,
              isActive: one.state === state,
            })),
          ]}
        />
      </div>
      {rows.length > 0 ? (
        <Table caption="Solicitudes ARCO" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.number}</PageLink>{' '}
                <Badge tone={row.state.tone}>{row.state.word}</Badge>
              </Cell>
              <Cell label="Persona">{row.name}</Cell>
              <Cell label="Derecho">{row.kind}</Cell>
              <Cell label="Recibida" isWhole>
                {row.received}
              </Cell>
              <Cell label="Plazo" isWhole>
                {row.due ? row.due.text : 'Sin plazo'}{' '}
                {row.due?.isLate && <Badge tone="bad">Vencido</Badge>}
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState next={state && <PageLink to={PATH}>Ver todas</PageLink>}>
          {state
            ? 'Ninguna solicitud está en este estado.'
            : 'No se ha registrado ninguna solicitud.'}
        </EmptyState>
      )}
      <Paging
        of="solicitudes"
        newer={isLaterPage ? address(PATH, { state }) : undefined}
        older={next && address(PATH, { state, behind: next })}
      />
    </>
  )
}
