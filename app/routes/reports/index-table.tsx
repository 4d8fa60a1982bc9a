import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { IndexRow } from '#server/features/reports/index-rows.ts'
import css from './reports.module.css'

type Props = { rows: readonly IndexRow[]; volumeName: string }

/** The index; facts that are not known are empty. */
export function IndexTable({ rows, volumeName }: Props) {
  const columns = [
    ...['Número', volumeName, 'Folios', 'Fecha', 'Acto', 'Comparecientes', 'Estado'],
    'Documento o motivo',
  ].map((name) => ({ name }))
  return (
    <Table caption="Índice de instrumentos" columns={columns}>
      {rows.map((row) => (
        <Row key={row.first}>
          <Cell isTitle isWhole>
            {row.number}
          </Cell>
          <Fact label={volumeName}>{row.volume}</Fact>
          <Fact label="Folios">{row.folios}</Fact>
          <Cell {...(row.day && { label: 'Fecha' })} isWhole>
            {row.day}
          </Cell>
          <Fact label="Acto">{row.acts}</Fact>
          <Fact label="Comparecientes">{row.parties.join('; ')}</Fact>
          <Fact label="Estado">{row.state}</Fact>
          <Cell isLong>
            {row.document && (
              <PageLink to={`/dashboard/documents/${row.document.id}`}>
                {row.document.folio} {row.document.title}
              </PageLink>
            )}
            {row.note && <span className={css.reason}>{row.note}</span>}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** Without a text the card of a narrow screen has no line for it. */
const Fact = ({ label, children }: { label: string; children: string }) => (
  <Cell {...(children && { label })}>{children}</Cell>
)
