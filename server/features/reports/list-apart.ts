import type { Database } from '#server/db/database.ts'
import { findHighestUsed, type OfSeries } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { findProgress, insertPiece, listPieces } from '#server/db/reports/report-runs.ts'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { FORMAT_TYPES, type ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileRow, ReportPiece } from '#server/domain/reports/report-piece.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import type { System } from '#server/system.ts'
import { daysOfName, indexName } from '#server/words/reports.ts'
import { chunksOf, fileNameOf, headOfIndex, type ReportFile } from './export-report.ts'
import { type IndexPlace, indexBeginning, linesBehind, STEP } from './index-lines.ts'
import { indexRows, indexTable } from './index-pieces.ts'
import { isWhole, rangeOf } from './instrument-index.ts'
import type { Work } from './work.ts'

/** Where a listing stands. Plain values; `place` is null at the end. */
type Listing = { place: IndexPlace | null; pieces: number; read: number }

/** Rows of a piece: it is written with the place behind it, and none is read twice. */
const ROWS_OF_A_PIECE = 1000

/** Lists on from where the run stands. @returns the file; undefined if it stopped, or the run is over */
export async function listApart(
  system: Pick<System, 'db' | 'clock' | 'reports'>,
  work: Work,
): Promise<ReportFile | undefined> {
  const { db, clock } = system
  const { run, office } = work
  const { seriesId = INSTRUMENT_SERIES } = run.query
  const series = await findSeries(db, run.officeId, seriesId)
  if (!series) throw new Error(`no series ${seriesId}`)
  if (!(await readOn(db, work, { officeId: run.officeId, seriesId }))) return undefined
  const name = indexName(series.name)
  const volumeName = volumeNameOf(volumeWordOf(office.entity))
  const pieces = storedPieces(db, run.id, volumeName, run.format)
  return {
    name: fileNameOf(name, run.format, daysOfName(run.query)),
    type: FORMAT_TYPES[run.format],
    chunks: chunksOf(
      system,
      run.format,
      headOfIndex(office, name, run.query, clock.now()),
      pieces,
      {
        isLong: true,
      },
    ),
  }
}

/** Reads the rest of the index into pieces. False if it stopped, or the run is over. */
async function readOn(
  db: Database,
  { run, save, isStopping }: Work,
  of: OfSeries,
): Promise<boolean> {
  const range = rangeOf(run.query)
  const highest = Math.min(range.last, (await findHighestUsed(db, of)) ?? range.last)
  const percentAt = (place: IndexPlace | undefined) =>
    place?.kind === 'entries'
      ? Math.min(
          99,
          Math.floor((100 * (place.first - range.first)) / Math.max(1, highest - range.first + 1)),
        )
      : 99
  const known = await findProgress(db, run.id)
  let { place, pieces, read } = known
    ? (JSON.parse(known) as Listing)
    : { place: await indexBeginning(db, of, range, run.query), pieces: 0, read: 0 }
  const letOthersRun = turnTaker()
  while (place) {
    const rows: FileRow[] = []
    let next: IndexPlace | undefined = place
    while (next && rows.length < ROWS_OF_A_PIECE) {
      const asked = {
        place: next,
        range,
        withTexts: isWhole(run.query),
        step: STEP,
        days: run.query,
      }
      const stretch: Awaited<ReturnType<typeof linesBehind>> = await linesBehind(db, of, asked)
      rows.push(...indexRows(stretch.lines, run.format))
      next = stretch.next
      await letOthersRun()
    }
    const at = { place: next ?? null, pieces: pieces + 1, read: read + rows.length }
    const piece = { runId: run.id, place: pieces, rows }
    const isOurs = await save({
      ...{ progress: JSON.stringify(at), rowsRead: at.read, percent: percentAt(next) },
      also: (trx) => insertPiece(trx, piece),
    })
    if (!isOurs || (isStopping() && next)) return false
    ;({ place, pieces, read } = at)
  }
  return true
}

async function* storedPieces(
  db: Database,
  runId: Work['run']['id'],
  volumeName: string,
  format: ReportFormat,
): AsyncGenerator<ReportPiece> {
  yield { kind: 'table', table: indexTable(volumeName, format) }
  for (let behind = -1; ; ) {
    const [piece] = await listPieces(db, { runId, behind, limit: 1 })
    if (!piece) return
    yield { kind: 'rows', rows: piece.rows }
    behind = piece.place
  }
}
