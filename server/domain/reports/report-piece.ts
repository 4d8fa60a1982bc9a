/** What stands at the head of a file. */
export type FileHead = {
  title: string
  /** The office, the period, when it was made. */
  lines: readonly string[]
}

export type FileTable = {
  name: string
  columns: readonly { name: string; isNumber: boolean; isMoney?: boolean }[]
  note?: string
}

export type FileRow = readonly (string | number)[]

/** A table begins, or rows of the last one follow. Plain values: they are sent to a thread. */
export type ReportPiece =
  | { kind: 'table'; table: FileTable }
  | { kind: 'rows'; rows: readonly FileRow[]; isSum?: boolean }
