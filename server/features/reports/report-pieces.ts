import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileRow, ReportPiece } from '#server/domain/reports/report-piece.ts'
import type { ReportCell, ReportColumn, ReportTable } from '#server/domain/reports/report-table.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { fileColumn, fileValue, valueText } from '#server/words/reports/report-values.ts'
import { NOTHING_COUNTED } from '#server/words/reports.ts'

/** The tables as pieces of a file: numbers for spreadsheets, texts for paper. Without a table the file says that there is nothing. */
export function* piecesOf(
  tables: readonly ReportTable[],
  format: ReportFormat,
): Generator<ReportPiece> {
  const written = tables.length > 0 ? tables : [NOTHING_COUNTED]
  for (const { name, columns, rows, sum, note } of written) {
    yield {
      kind: 'table',
      table: {
        name,
        columns: columns.map((column) => ({
          name: format === 'pdf' ? column.name : fileColumn(column),
          isNumber: column.kind !== 'text',
          isMoney: column.kind === 'money',
        })),
        ...(note !== undefined && { note }),
      },
    }
    yield { kind: 'rows', rows: rows.map((row) => valuesOf(row, columns, format)) }
    if (sum && format !== 'csv')
      yield { kind: 'rows', rows: [valuesOf(sum, columns, format)], isSum: true }
  }
}

const valuesOf = (
  row: readonly ReportCell[],
  columns: readonly ReportColumn[],
  format: ReportFormat,
): FileRow =>
  row.map(({ value }, index) => {
    const kind = columns[index]?.kind ?? 'text'
    if (typeof value === 'string') return shownText(value)
    return format === 'pdf' ? valueText(value, kind) : fileValue(value, kind)
  })

/** The lines of a CSV file; an empty line before each further table. */
export async function* csvOf(
  pieces: AsyncIterable<ReportPiece> | Iterable<ReportPiece>,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    if (piece.kind === 'table') {
      const header = csvLine(piece.table.columns.map(({ name }) => name))
      yield isFirst ? CSV_BEGINNING + header : `\r\n${header}`
      isFirst = false
    } else yield piece.rows.map(csvLine).join('')
  }
}
