import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { CountCell, KindRow, MonthRow } from './document-view.ts'
import css from './reports.module.css'

/** A row for each kind, and the sum of them. */
export function KindTable({ rows }: { rows: readonly KindRow[] }) {
  const columns = (rows[0]?.cells ?? []).map(({ name }) => ({ name, isNumber: true }))
  return (
    <Table caption="Documentos por tipo y estado" columns={[{ name: 'Tipo' }, ...columns]}>
      {rows.map(({ name, cells, isSum }) => (
        <Row key={name}>
          <Cell isTitle>{isSum ? <strong>{name}</strong> : name}</Cell>
          {cells.map((cell) => (
            <Cell key={cell.name} label={cell.name} isNumber>
              <Count {...cell} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  )
}

/** The number leads to the list of what was counted. */
const Count = ({ count, to }: CountCell) => (to ? <PageLink to={to}>{count}</PageLink> : count)

const MONTH_COLUMNS = [
  { name: 'Mes' },
  { name: 'Documentos', isNumber: true },
  { name: 'Comparado con el mes de más documentos' },
]

export function MonthTable({ rows }: { rows: readonly MonthRow[] }) {
  return (
    <Table caption="Documentos por mes" columns={MONTH_COLUMNS}>
      {rows.map(({ name, count, share }) => (
        <Row key={name}>
          <Cell isTitle isWhole>
            {name}
          </Cell>
          <Cell label="Documentos" isNumber>
            {count}
          </Cell>
          <Cell>
            <Bar share={share} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** The number beside it says the same. @param share from 0 to 100 */
function Bar({ share }: { share: number }) {
  return (
    <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={share} height="1" />
    </svg>
  )
}
