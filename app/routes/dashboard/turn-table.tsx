import { SignLink } from '#app/ui/document/sign-link.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { Deadline } from '#app/ui/text/deadline.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
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
            <Deadline deadline={deadline} />
          </Cell>
          <Cell isNumber>
            <SignLink document={{ id, title }} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
