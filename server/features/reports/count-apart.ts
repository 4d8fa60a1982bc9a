import { findProgress } from '#server/db/reports/report-runs.ts'
import { dayOf } from '#server/domain/day.ts'
import type { Counted, Period } from '#server/domain/reports/counted-report.ts'
import { FORMAT_TYPES } from '#server/domain/reports/report-format.ts'
import { CountedKind } from '#server/domain/reports/report-kind.ts'
import type { System } from '#server/system.ts'
import { periodOfName, reportNames } from '#server/words/reports.ts'
import type { Place, Scope } from './counting.ts'
import { COUNTINGS } from './countings.ts'
import { chunksOf, fileNameOf, headOf, type ReportFile } from './export-report.ts'
import { countOn, type Progress, periodOf, scopeOf } from './read-report.ts'
import { piecesOf } from './report-pieces.ts'
import { tablesOfReport } from './tables-of-report.ts'
import type { Work } from './work.ts'

/** Of the shape of the counts: those of another release are counted anew. */
const VERSION = 1
/** Milliseconds between two times that it is written down. */
const SAVED_EVERY = 1000

/** Counts on from where the run stands. @returns the file; undefined if it stopped, or the run is over */
export async function countApart(
  system: Pick<System, 'db' | 'clock' | 'reports'>,
  { run, office, save, isStopping }: Work,
): Promise<ReportFile | undefined> {
  const kind = CountedKind.parse(run.kind)
  const period = periodOf({ kind, ...run.query }, dayOf(run.createdAt, office.timeZone))
  const scope = await scopeOf(system.db, office, period)
  let progress = await progressOf(system, run.id)
  const saved = (at: Progress) =>
    save({
      progress: JSON.stringify({ version: VERSION, ...at }),
      ...{ rowsRead: at.read, percent: percentOf(kind, scope, at.place) },
    })
  let savedAt = performance.now()
  for await (progress of countOn(system.db, kind, scope, progress)) {
    const isDue = performance.now() - savedAt > SAVED_EVERY
    if (!isDue && !isStopping() && progress.place) continue
    if (!(await saved(progress)) || (isStopping() && progress.place)) return undefined
    savedAt = performance.now()
  }
  if (!progress) return undefined
  return fileOf(system, { kind, counts: progress.counts } as Counted, {
    run,
    office,
    scope,
    period,
  })
}

async function progressOf(
  { db }: Pick<System, 'db'>,
  id: Work['run']['id'],
): Promise<Progress | undefined> {
  const text = await findProgress(db, id)
  if (text === null) return undefined
  const { version, counts, read, place } = JSON.parse(text) as Progress & { version: number }
  return version === VERSION ? { counts, read, place } : undefined
}

function fileOf(
  system: Pick<System, 'clock' | 'reports'>,
  counted: Counted,
  { run, office, scope, period }: Pick<Work, 'run' | 'office'> & { scope: Scope; period: Period },
): ReportFile {
  const { format } = run
  const head = headOf(counted.kind, { office, period }, system.clock.now())
  const tables = tablesOfReport({ people: scope.people, period }, counted)
  const days = counted.kind === 'numbers' ? '' : periodOfName(period)
  return {
    name: fileNameOf(reportNames[counted.kind], format, days),
    type: FORMAT_TYPES[format],
    chunks: chunksOf(system, format, head, piecesOf(tables, format), { isLong: false }),
  }
}

/** By the parts that are over, and the time in the period of the one that is read. */
function percentOf(kind: CountedKind, { from, to }: Scope, place: Place | undefined): number {
  if (!place) return 100
  const { parts } = COUNTINGS[kind]
  if (parts === undefined) return 0
  const share = place.behind ? (place.behind.at - from) / Math.max(1, to - from) : 0
  return Math.floor((100 * (place.part + Math.min(1, Math.max(0, share)))) / parts)
}
