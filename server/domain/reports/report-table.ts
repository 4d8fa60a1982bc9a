/** How the values of a column are written. `money`: centavos. `duration`: milliseconds. */
export type ColumnKind = 'text' | 'count' | 'money' | 'duration'

export type ReportColumn = { name: string; kind: ColumnKind }

/** The list of what was counted. */
export type ReportList = {
  of: 'documents' | 'numbers'
  query: Readonly<Record<string, string>>
}

export type ReportCell = {
  /** A number of the kind of its column; a text says why there is none. */
  value: string | number
  list?: ReportList
}

/** `bars`: in each row its share of the largest value of the column. `columns`: beside the table, one for each row and column. */
export type ReportChart = { kind: 'bars'; column: number } | { kind: 'columns'; of: number[] }

/** A table with names, numbers and what to draw of it. The table says everything; the chart shows it at a glance. */
export type ReportTable = {
  name: string
  columns: readonly ReportColumn[]
  rows: readonly (readonly ReportCell[])[]
  /** The sum of the rows. */
  sum?: readonly ReportCell[]
  chart?: ReportChart
  note?: string
}
