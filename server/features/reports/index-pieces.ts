import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileRow, FileTable, ReportPiece } from '#server/domain/reports/report-piece.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { reportNames } from '#server/words/reports.ts'
import type { IndexLine } from './index-lines.ts'
import { type IndexRow, indexRow } from './index-rows.ts'

/** The index as pieces of a file. Spreadsheets get the two ends of a range of numbers without thousands separators. */
export async function* indexPieces(
  groups: AsyncIterable<readonly IndexLine[]>,
  volumeName: string,
  format: ReportFormat,
): AsyncGenerator<ReportPiece> {
  yield { kind: 'table', table: indexTable(volumeName, format) }
  for await (const lines of groups) yield { kind: 'rows', rows: indexRows(lines, format) }
}

export const indexTable = (volumeName: string, format: ReportFormat): FileTable => ({
  name: reportNames.instruments,
  columns: [
    ...(format === 'pdf' ? ['Número'] : ['Del número', 'Al número']),
    ...[volumeName, 'Folios', 'Fecha', 'Acto', 'Comparecientes'],
    ...['Estado', 'Motivo o nota', 'Folio', 'Documento'],
  ].map((name) => ({ name, isNumber: false })),
})

export const indexRows = (lines: readonly IndexLine[], format: ReportFormat): FileRow[] =>
  lines.map((line) => cellsOf(indexRow(line), format))

const cellsOf = (row: IndexRow, format: ReportFormat): FileRow => [
  ...numbersOf(row, format),
  ...[row.volume, row.folios, format === 'pdf' ? row.day : row.date, row.acts].map((text) =>
    shownText(text),
  ),
  ...[row.parties.join('; '), row.state, row.note].map((text) => shownText(text)),
  row.document?.folio ?? '',
  shownText(row.document?.title ?? ''),
]

const numbersOf = (row: IndexRow, format: ReportFormat): FileRow =>
  format === 'pdf'
    ? [shownText(row.number)]
    : [row.first, row.last].map((number) =>
        typeof number === 'string' ? shownText(number) : number,
      )
