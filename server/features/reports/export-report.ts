import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Problem } from '#server/domain/problem.ts'
import { FORMAT_TYPES, type ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileHead, ReportPiece } from '#server/domain/reports/report-piece.ts'
import { formatDay, formatInstant, type Instant, parseInstant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import {
  indexName,
  madeText,
  periodOfName,
  periodText,
  reportNames,
} from '#server/words/reports.ts'
import { indexPieces } from './index-pieces.ts'
import {
  exportInstrumentIndex,
  type IndexLine,
  type ReadInstrumentIndex,
} from './instrument-index.ts'
import { MOST_ROWS_AT_ONCE, type ReadReport, type Report, readReport } from './read-report.ts'
import { csvOf, piecesOf } from './report-pieces.ts'
import { tablesOfReport } from './tables-of-report.ts'

type Exporting = Pick<System, 'db' | 'eventQueue' | 'clock' | 'reports'>

/** A file that is made while it is read. */
export type ReportFile = {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string>
}

/**
 * A counted report as a file, at once.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `report-too-long` if it counts more rows than a request may
 */
export async function exportReport(
  system: Exporting,
  actor: Actor,
  asked: ReadReport,
  { format, ...form }: { format: ReportFormat; most?: number; signal?: AbortSignal },
): Promise<ReportFile> {
  const report = await readReport(system, actor, asked, { as: 'file', ...form })
  if (!report.counted)
    throw new Problem('report-too-long', `${asked.kind} has over ${MOST_ROWS_AT_ONCE} rows`)
  const pieces = piecesOf(tablesOfReport(report, report.counted), format)
  return {
    name: fileNameOf(
      reportNames[asked.kind],
      format,
      asked.kind === 'numbers' ? '' : periodOfName(report.period),
    ),
    type: FORMAT_TYPES[format],
    chunks: chunksOf(system, format, headOf(asked.kind, report, system.clock.now()), pieces, {
      isLong: false,
    }),
  }
}

/**
 * The index of instruments as a file, however long.
 *
 * @throws {Problem} see `exportInstrumentIndex`
 */
export async function exportInstruments(
  system: Exporting,
  actor: Actor,
  asked: ReadInstrumentIndex,
  format: ReportFormat,
): Promise<ReportFile> {
  const { office, series, lines } = await exportInstrumentIndex(system, actor, asked)
  const name = indexName(series.name)
  const head = headOfIndex(office, name, system.clock.now())
  const pieces = indexPieces(inGroups(lines), volumeNameOf(volumeWordOf(office.entity)), format)
  return {
    name: fileNameOf(name, format),
    type: FORMAT_TYPES[format],
    chunks: chunksOf(system, format, head, pieces, { isLong: true }),
  }
}

/** The file of the pieces. */
export function chunksOf(
  { reports }: Pick<System, 'reports'>,
  format: ReportFormat,
  head: FileHead,
  pieces: AsyncIterable<ReportPiece> | Iterable<ReportPiece>,
  options: { isLong: boolean },
): AsyncIterable<Uint8Array | string> {
  return format === 'csv' ? csvOf(pieces) : reports.write(format, head, pieces, options)
}

export const fileNameOf = (name: string, format: ReportFormat, period = ''): string =>
  `${name.toLowerCase()}${period}.${format}`

const dayOfText = (day: string) => formatDay(parseInstant(day), 'UTC')

/** What stands above the tables on paper. */
export function headOf(
  kind: ReadReport['kind'],
  { office, period }: Pick<Report, 'office' | 'period'>,
  at: Instant,
): FileHead {
  const days = periodText(dayOfText(period.from), dayOfText(period.to))
  return {
    title: reportNames[kind],
    lines: [office.name, ...(kind === 'numbers' ? [] : [days]), madeAt(at, office)],
  }
}

export const headOfIndex = (office: Office, name: string, at: Instant): FileHead => ({
  title: name.replace(/^./, (letter) => letter.toUpperCase()),
  lines: [office.name, madeAt(at, office)],
})

const madeAt = (at: Instant, { timeZone }: Office) => madeText(formatInstant(at, timeZone))

/** Rows that a thread gets at once. */
const GROUP = 100

async function* inGroups(lines: AsyncIterable<IndexLine>): AsyncGenerator<IndexLine[]> {
  let group: IndexLine[] = []
  for await (const line of lines) {
    group.push(line)
    if (group.length < GROUP) continue
    yield group
    group = []
  }
  yield group
}
