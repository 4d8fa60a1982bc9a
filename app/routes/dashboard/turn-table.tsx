import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { TurnRow } from './overview-rows.ts'

const COLUMNS = [
  { name: 'Documento' },
  { name: 'Folio' },
  { name: 'Sesión de firma' },
  { name: 'Fecha límite', isNumber: true },
  { name: 'Acción', isNumber: true },
]

/** The documents that wait for the user, one per row, with a link to sign each. */
export function TurnTable({ rows }: { rows: readonly TurnRow[] }) {
  return (
    <Table caption="Documentos que esperan su firma" columns={COLUMNS}>
      {rows.map(({ id, title, folio, session, deadline }) => (
        <Row key={`${session.id} ${id}`}>
          <Cell isTitle>
            <PageLink to={`/dashboard/documents/${id}`}>{title}</PageLink>
          </Cell>
          <Cell isWhole>{folio}</Cell>
          <Cell>
            <PageLink to={`/dashboard/signing/${session.id}`}>{session.title}</PageLink>
          </Cell>
          <Cell isNumber isWhole label="Fecha límite">
            {deadline ? <Time at={deadline.at}>{deadline.day}</Time> : 'Sin fecha'}
          </Cell>
          <Cell isNumber>
            <PageLink to={`/dashboard/documents/${id}/sign`} aria-label={`Firmar ${title}`}>
              Firmar
            </PageLink>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
