import { SigningSessionBadge } from '#app/ui/document/signing-session-badge.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { Deadline } from '#app/ui/text/deadline.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { signingSessionStates } from '#server/words/signing.ts'
import css from './list.module.css'
import type { SessionRow } from './list-rows.ts'

const PATH = '/dashboard/signing'

const SESSION_COLUMNS = [
  { name: 'Estado' },
  { name: 'Sesión' },
  { name: 'Documentos', isNumber: true },
  { name: 'Firmas', isNumber: true },
  { name: 'Fecha límite', isNumber: true },
  { name: 'Creada', isNumber: true },
]

type Props = {
  show: 'mine' | 'all'
  /** Undefined for all states. */
  state: SigningSession['state'] | undefined
  rows: SessionRow[]
  /** The place of the next page; undefined on the last one. */
  next: string | undefined
  isFirst: boolean
  canManage: boolean
}

export function SessionList(props: Props) {
  const { show, state, rows, next, isFirst, canManage } = props
  const at = (query: Record<string, string | undefined>) => address(PATH, { show, ...query })
  const chips = [
    { to: at({}), name: 'Todas', isActive: !state },
    ...Object.entries(signingSessionStates).map(([key, name]) => ({
      to: at({ state: key }),
      name,
      isActive: state === key,
    })),
  ]
  return (
    <div className={css.list}>
      <Chips label="Estado" chips={chips} />
      {rows.length === 0 && (
        <EmptyState
          next={canManage && <PageLink to={`${PATH}/new`}>Nueva sesión de firma</PageLink>}
        >
          No hay sesiones de firma aquí.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table caption="Sesiones de firma" columns={SESSION_COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isWhole>
                <SigningSessionBadge state={row.state} />
              </Cell>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.title}</PageLink>
              </Cell>
              <Cell isNumber label="Documentos">
                {row.documents}
              </Cell>
              <Cell isNumber isWhole label="Firmas">
                {`${row.made} de ${row.wanted}`}
              </Cell>
              <Cell isNumber isWhole label="Fecha límite">
                <Deadline deadline={row.deadline} />
              </Cell>
              <Cell isNumber isWhole label="Creada">
                <Time at={row.createdAt}>{row.created}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <p className={css.paging}>
        {!isFirst && <PageLink to={at({ state })}>Al principio</PageLink>}
        {next && <PageLink to={at({ state, behind: next })}>Más antiguas</PageLink>}
      </p>
    </div>
  )
}
