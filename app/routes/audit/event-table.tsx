import { Badge } from '#app/ui/feedback/badge.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { EventRow } from './event-rows.ts'

/** Events, each as a sentence whose names are links. */
export function EventTable({ rows, zone }: { rows: readonly EventRow[]; zone: string }) {
  return (
    <Table caption="Eventos de la bitácora" columns={columnsIn(zone)}>
      {rows.map((row) => (
        <Row key={row.position}>
          <Cell>
            {row.isRefused ? (
              <Badge tone="bad">Rechazado</Badge>
            ) : (
              <Badge tone="good">Correcto</Badge>
            )}
          </Cell>
          <Cell isTitle>
            <span>
              {row.sentence.map(({ text, names, to }) =>
                to ? (
                  <PageLink key={names} to={to}>
                    {text}
                  </PageLink>
                ) : (
                  text
                ),
              )}
            </span>
          </Cell>
          <Cell>{row.kind}</Cell>
          <Cell>{row.from}</Cell>
          <Cell label={`Cuándo (${zone})`} isNumber isWhole>
            <Time at={row.at}>{row.when}</Time>
          </Cell>
          <Cell label="Número" isNumber>
            {row.seq}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

const columnsIn = (zone: string) => [
  { name: 'Resultado' },
  { name: 'Qué ocurrió' },
  { name: 'Evento' },
  { name: 'Desde' },
  { name: `Cuándo (${zone})`, isNumber: true },
  { name: 'Número', isNumber: true },
]
