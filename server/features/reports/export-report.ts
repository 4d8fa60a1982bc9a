import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Problem } from '#server/domain/problem.ts'
import { FORMAT_TYPES, type ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileHead, ReportPiece } from '#server/domain/reports/report-piece.ts'
import { formatDay, formatInstant, type Instant, parseInstant } from '#server/domain/time.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { ownerOf } from '#server/steps/documents/read-in-turn.ts'
import type { System } from '#server/system.ts'
import {
  daysOfName,
  daysText,
  indexName,
  madeText,
  periodOfName,
  periodText,
  reportNames,
} from '#server/words/reports.ts'
import type { IndexLine } from './index-lines.ts'
import { indexPieces } from './index-pieces.ts'
import { exportInstrumentIndex, type ReadInstrumentIndex } from './instrument-index.ts'
import { MOST_ROWS_AT_ONCE, type ReadReport, type Report, readReport } from './read-report.ts'
import { csvOf, piecesOf } from './report-pieces.ts'
import { tablesOfReport } from './tables-of-report.ts'

type Exporting = Pick<System, 'db' | 'eventQueue' | 'clock' | 'reports' | 'memory'>

/** A text is made while it is read, any other file before. */
export type ReportFile = {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>
}

type Form = { format: ReportFormat; most?: number; signal?: AbortSignal }

/** Each takes a thread of some 30 MB. */
const FILES_AT_ONCE: QueueOf = { name: 'report-files', places: 2, ofOneOwner: 8 }

/**
 * A counted report as a file, at once.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `report-too-long` if it counts more rows than a request may;
 *   `too-many-attempts` while many files are made for the actor
 */
export async function exportReport(
  system: Exporting,
  actor: Actor,
  asked: ReadReport,
  { format, ...form }: Form,
): Promise<ReportFile> {
  const report = await readReport(system, actor, asked, { as: 'file', ...form })
  if (!report.counted)
    throw new Problem('report-too-long', `${asked.kind} has over ${MOST_ROWS_AT_ONCE} rows`)
  const pieces = piecesOf(tablesOfReport(report, report.counted), format)
  const head = headOf(asked.kind, report, system.clock.now())
  return {
    name: fileNameOf(
      reportNames[asked.kind],
      format,
      asked.kind === 'numbers' ? '' : periodOfName(report.period),
    ),
    type: FORMAT_TYPES[format],
    chunks:
      format === 'csv'
        ? csvOf(pieces)
        : await madeInTurn(system, actor, form.signal, () =>
            system.reports.write(format, head, pieces, { isLong: false }),
          ),
  }
}

/**
 * The index of instruments as a file; as a text, however long.
 *
 * @throws {Problem} see `exportInstrumentIndex`; `report-too-long` if it has more lines than a request may;
 *   `too-many-attempts` while many files are made for the actor
 */
export async function exportInstruments(
  system: Exporting,
  actor: Actor,
  asked: ReadInstrumentIndex,
  { format, most = MOST_ROWS_AT_ONCE, signal }: Form,
): Promise<ReportFile> {
  const { office, series, lines } = await exportInstrumentIndex(system, actor, asked)
  const name = indexName(series.name)
  const head = headOfIndex(office, name, asked, system.clock.now())
  const volumeName = volumeNameOf(volumeWordOf(office.entity))
  const piecesIn = (some: AsyncIterable<IndexLine>) =>
    indexPieces(inGroups(some), volumeName, format)
  const chunks =
    format === 'csv'
      ? csvOf(piecesIn(lines))
      : await madeInTurn(system, actor, signal, () =>
          system.reports.write(format, head, piecesIn(upTo(most, lines)), { isLong: true }),
        )
  return { name: fileNameOf(name, format, daysOfName(asked)), type: FORMAT_TYPES[format], chunks }
}

/**
 * The whole file, made when a place for it is free. In memory, as a place that is held until a slow reader has it all would be held
 * back from others; a file of `MOST_ROWS_AT_ONCE` rows has some 4 MB.
 */
async function madeInTurn(
  { memory }: Pick<System, 'memory'>,
  actor: Actor,
  signal: AbortSignal | undefined,
  make: () => AsyncIterable<Uint8Array>,
): Promise<Uint8Array[]> {
  const queue = memory.queue(FILES_AT_ONCE)
  return await queue.inTurn(() => allOf(make(), signal), { ...ownerOf(actor), signal })
}

async function allOf(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  const made: Uint8Array[] = []
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    made.push(chunk)
  }
  return made
}

/** @throws {Problem} `report-too-long` behind so many lines */
async function* upTo(most: number, lines: AsyncIterable<IndexLine>): AsyncGenerator<IndexLine> {
  let count = 0
  for await (const line of lines) {
    count += 1
    if (count > most) throw new Problem('report-too-long', `the index has over ${most} lines`)
    yield line
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

export const headOfIndex = (
  office: Office,
  name: string,
  { from, to }: Pick<ReadInstrumentIndex, 'from' | 'to'>,
  at: Instant,
): FileHead => ({
  title: name.replace(/^./, (letter) => letter.toUpperCase()),
  lines: [
    office.name,
    ...((from ?? to) ? [daysText(from && dayOfText(from), to && dayOfText(to))] : []),
    madeAt(at, office),
  ],
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
