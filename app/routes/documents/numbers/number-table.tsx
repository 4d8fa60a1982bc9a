import { Badge } from '#app/ui/feedback/badge.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { countOfNumbers } from '#server/words/numbers.ts'
import type { NumberRow } from './number-rows.ts'

const COLUMNS = [
  { name: 'Número' },
  { name: 'Estado' },
  { name: 'Documento' },
  { name: 'Motivo o nota' },
  { name: 'Anotó' },
  { name: 'Desde', isNumber: true },
]

/** Lines of the register; a range of numbers without documents is one line. */
export function NumberTable({ rows }: { rows: readonly NumberRow[] }) {
  return (
    <Table caption="Números de instrumentos" columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.key}>
          <Cell isTitle isWhole>
            {row.to ? <PageLink to={row.to}>{row.number}</PageLink> : row.number}
            {row.count > 1 && ` (${countOfNumbers(row.count)})`}
          </Cell>
          <Cell label="Estado" isWhole>
            <Badge tone={row.tone}>{row.state}</Badge>
          </Cell>
          <Cell {...(row.document && { label: 'Documento' })} isLong>
            {row.document && (
              <span>
                <PageLink to={`/dashboard/documents/${row.document.id}`}>
                  {row.document.folio} {row.document.title}
                </PageLink>{' '}
                · {row.document.state}
              </span>
            )}
          </Cell>
          <Cell {...(row.note && { label: 'Motivo o nota' })} isLong>
            {row.note}
          </Cell>
          <Cell {...(row.by && { label: 'Anotó' })} isName>
            {row.by}
          </Cell>
          <Cell label="Desde" isNumber isWhole>
            <Time at={row.at}>{row.day}</Time>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
