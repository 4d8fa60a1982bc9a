import { address } from '#app/ui/text/address.ts'
import type { Day } from '#server/domain/day.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentCounts, KindCounts } from '#server/domain/reports/document-counts.ts'
import { documentKinds, documentStatesOfMany } from '#server/words/documents.ts'
import { monthText } from '#server/words/reports.ts'

/** A count under the name of its column, and the list of what was counted; absent if there is none. */
export type CountCell = { name: string; count: string; to?: string }

export type KindRow = { name: string; cells: CountCell[]; isSum: boolean }

export type MonthRow = {
  name: string
  count: string
  /** Of the busiest month, from 0 to 100. */
  share: number
}

const STATES = Object.keys(documentStatesOfMany) as DocumentState[]

/** A row for each kind, and the sum of them. */
export function kindRows(
  { kinds, states, total }: DocumentCounts,
  period: { from: Day; to: Day },
): KindRow[] {
  const cell = (name: string, count: number, query: Record<string, string>): CountCell => ({
    ...{ name, count: count.toLocaleString('es-MX') },
    ...(count > 0 && { to: address('/dashboard/documents', { ...query, ...period }) }),
  })
  const cellsOf = (counted: Omit<KindCounts, 'kind'>, query: Record<string, string>) => [
    ...STATES.map((state) =>
      cell(documentStatesOfMany[state], counted.states[state], { ...query, state }),
    ),
    cell('Total', counted.total, query),
  ]
  const rows = kinds.map((row) => ({
    name: documentKinds[row.kind],
    cells: cellsOf(row, { kind: row.kind }),
    isSum: false,
  }))
  return [...rows, { name: 'Total', cells: cellsOf({ states, total }, {}), isSum: true }]
}

export function monthRows({ months }: DocumentCounts): MonthRow[] {
  const most = Math.max(1, ...months.map(({ total }) => total))
  return months.map(({ month, total }) => ({
    name: monthText(month),
    count: total.toLocaleString('es-MX'),
    share: Math.round((1000 * total) / most) / 10,
  }))
}
