import { address } from '#app/ui/text/address.ts'
import type {
  ReportCell,
  ReportColumn,
  ReportList,
  ReportTable,
} from '#server/domain/reports/report-table.ts'
import { valueText } from '#server/words/reports/report-values.ts'
import { type ShownChart, shownChart } from './chart-view.ts'

/** A cell under the name of its column. */
export type ShownCell = {
  name: string
  text: string
  isNumber: boolean
  /** The list of what was counted; absent if there is none. */
  to?: string
  /** Of the largest value of the column, from 0 to 100. */
  share?: number
}

export type ShownRow = { cells: ShownCell[]; isSum: boolean }

export type ShownTable = {
  name: string
  columns: { name: string; isNumber: boolean }[]
  rows: ShownRow[]
  note?: string
  chart?: ShownChart
}

const PATHS: Record<ReportList['of'], string> = {
  documents: '/dashboard/documents',
  numbers: '/dashboard/documents/numbers',
}

/** A table as the page shows it. */
export function shownTable(table: ReportTable): ShownTable {
  const { name, columns, rows, sum, note } = table
  const barColumn = table.chart?.kind === 'bars' ? table.chart.column : undefined
  const most = Math.max(1, ...rows.map((row) => Number(row[barColumn ?? 0]?.value) || 0))
  const chart = shownChart(table)
  const shown = (row: readonly ReportCell[], isSum: boolean): ShownRow => ({
    isSum,
    cells: row.map((cell, index) => ({
      ...shownCell(cell, columns[index]),
      ...(index === barColumn &&
        !isSum && { share: Math.round((1000 * Number(cell.value)) / most) / 10 }),
    })),
  })
  return {
    ...{ name, columns: columns.map(shownColumn) },
    rows: [...rows.map((row) => shown(row, false)), ...(sum ? [shown(sum, true)] : [])],
    ...(note !== undefined && { note }),
    ...(chart && { chart }),
  }
}

const shownColumn = ({ name, kind }: ReportColumn) => ({ name, isNumber: kind !== 'text' })

const shownCell = (
  { value, list }: ReportCell,
  { name, kind }: ReportColumn = { name: '', kind: 'text' },
): ShownCell => ({
  ...{ name, text: valueText(value, kind), isNumber: kind !== 'text' },
  ...(list && { to: address(PATHS[list.of], list.query) }),
})
