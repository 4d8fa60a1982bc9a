import type { DeadlineRowView } from '#app/http/documents/deadline-row.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { UNCONFIRMED } from '#server/words/obligations.ts'
import css from './obligations.module.css'
import { OBLIGATIONS_PATH } from './obligations-path.ts'

const COLUMNS = [
  { name: 'Vence' },
  { name: 'Obligación' },
  { name: 'De' },
  { name: 'Estado' },
  { name: 'Plazo y fuente' },
]

/** What is to be done, with source and date beside each term. */
export function DeadlineTable({ rows }: { rows: readonly DeadlineRowView[] }) {
  return (
    <Table caption="Obligaciones" columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell label="Vence" isWhole>
            <Time at={row.due.at}>{row.due.text}</Time>
          </Cell>
          <Cell isTitle>
            <PageLink to={`${OBLIGATIONS_PATH}/${row.id}`}>{row.name}</PageLink>
          </Cell>
          <Cell label="De" isWhole={row.document !== null}>
            {row.document ? <PageLink to={row.document}>{row.about}</PageLink> : row.about}
          </Cell>
          <Cell label="Estado" isWhole>
            <Badge tone={row.tone}>{row.standing}</Badge>
          </Cell>
          <Cell label="Plazo y fuente">
            <span className={css.source}>
              {row.term}. {row.source}
              {row.isUnconfirmed && ` · ${UNCONFIRMED}`}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
