import { Section } from '#app/ui/lists/section.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ColumnChart } from './column-chart.tsx'
import type { ShownCell, ShownTable } from './report-view.ts'
import css from './reports.module.css'

/** Columns of a table that leaves room for its chart, and that a telephone has room for. */
const FEW = 2

/** Each table of a report under its name, with its chart beside it where there is room. */
export function ReportTables({ tables }: { tables: readonly ShownTable[] }) {
  return (
    <div className={css.sections}>
      {tables.map((table) => (
        <Section key={table.name} title={table.name}>
          {table.chart ? (
            <div className={css.beside} data-few={table.columns.length <= FEW || undefined}>
              <TableOf table={table} />
              <ColumnChart chart={table.chart} />
            </div>
          ) : (
            <TableOf table={table} />
          )}
          {table.note && <p className={css.note}>{table.note}</p>}
        </Section>
      ))}
    </div>
  )
}

function TableOf({ table: { name, columns, rows } }: { table: ShownTable }) {
  const isCompact = columns.length <= FEW
  return (
    <Table caption={name} columns={columns} isCompact={isCompact}>
      {rows.map(({ cells, isSum }) => (
        <Row key={`${isSum} ${cells[0]?.text}`}>
          {cells.map((cell, index) => (
            <Cell
              key={cell.name}
              isTitle={index === 0}
              isWhole={isCompact}
              {...(index > 0 && { label: cell.name })}
              isNumber={cell.isNumber}
            >
              <Value cell={cell} isSum={isSum} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  )
}

function Value({ cell: { text, to, share }, isSum }: { cell: ShownCell; isSum: boolean }) {
  const value = to ? <PageLink to={to}>{text}</PageLink> : text
  if (share !== undefined)
    return (
      <span className={css.share}>
        <Bar share={share} /> <span data-alone>{value}</span>
      </span>
    )
  return isSum ? <strong data-alone>{value}</strong> : value
}

/** The number beside it says the same. @param share from 0 to 100 */
const Bar = ({ share }: { share: number }) => (
  <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width={share} height="1" />
  </svg>
)
