import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findDueRun, replaceRun } from '#server/db/reports/report-runs.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { FILE_LIFETIME, MOST_ATTEMPTS, type ReportRun } from '#server/domain/reports/report-run.ts'
import { after, minutes } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { clearPieces } from './clear-pieces.ts'
import { countApart } from './count-apart.ts'
import type { ReportFile } from './export-report.ts'
import { listApart } from './list-apart.ts'
import type { Saved, Work } from './work.ts'

const JOB = 'reportes'

/** Another process takes a run over that was not written down for so long. */
const LEASE = minutes(2)
/** Largest file in bytes. */
const FILE_LIMIT = 2 * 1024 * 1024 * 1024

type Making = Pick<System, 'db' | 'clock' | 'blobs' | 'reports'>

/**
 * Makes the reports that were asked for, the one that waits longest first. What is counted is written down every second: after a crash
 * the next run of the job goes on from there. Safe to run in two processes at once.
 */
export async function makeReports(system: Making, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const run = await findDueRun(system.db, system.clock.now())
    if (!run) return
    const taken = { ...run, dueAt: after(system.clock.now(), LEASE) }
    const isOurs = await system.db.transaction((trx) => replaceRun(trx, run, taken))
    if (isOurs) await makeOne(system, taken, stopping)
  }
}

async function makeOne(system: Making, run: ReportRun, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = system
  const held = holdingOf(system, run)
  try {
    const office = await findOffice(db, run.officeId)
    if (!office) throw new Error(`no office ${run.officeId}`)
    const isStopping = () => stopping?.aborted ?? false
    const work: Work = { run, office, isStopping, save: held.save }
    const make = run.kind === 'instruments' ? listApart : countApart
    const file = await make(system, work)
    if (file) await finish(system, held, file, isStopping)
    else await held.release()
  } catch (error) {
    // The next process need not wait for the lease.
    if (error instanceof NotMade) return await held.release()
    await noteFailure({ db, clock }, held.current())
    throw error
  }
}

/** The process stops, or the run is over: nothing failed. */
class NotMade extends Error {
  override readonly name = 'NotMade'
}

type Holding = ReturnType<typeof holdingOf>

/** The right of this process to work on the run. */
function holdingOf({ db, clock }: Making, taken: ReportRun) {
  let run = taken
  async function save({ progress, rowsRead, percent, also }: Saved): Promise<boolean> {
    const next = { ...run, dueAt: after(clock.now(), LEASE), attempts: 0, rowsRead, percent }
    const isOurs = await db.transaction(async (trx) => {
      if (!(await replaceRun(trx, run, next, progress))) return false
      await also?.(trx)
      return true
    })
    if (isOurs) run = next
    return isOurs
  }
  return {
    current: () => run,
    save,
    async renew(): Promise<boolean> {
      const next = { ...run, dueAt: after(clock.now(), LEASE) }
      const isOurs = await db.transaction((trx) => replaceRun(trx, run, next))
      if (isOurs) run = next
      return isOurs
    },
    async release(): Promise<void> {
      await db.transaction((trx) => replaceRun(trx, run, { ...run, dueAt: clock.now() }))
    },
  }
}

/** Durable before it is visible: the row names a file that is there. */
async function finish(
  { db, clock, blobs }: Making,
  held: Holding,
  file: ReportFile,
  isStopping: () => boolean,
): Promise<void> {
  const staged = await blobs.stage(bytesOf(file.chunks, held, isStopping), FILE_LIMIT)
  const run = held.current()
  const { officeId } = run
  try {
    const { sha256, bytes } = staged
    await staged.keep(officeId)
    const at = clock.now()
    const expiresAt = after(at, FILE_LIFETIME)
    await db.transaction(async (trx) => {
      // The end of another report with the same content takes its file away under this lock.
      await lockFolios(trx, officeId)
      if (!(await findStoredFile(trx, { officeId, sha256 })))
        throw new Error(`the file of ${run.id} is gone`)
      const ready: ReportRun = {
        ...{ ...run, state: 'ready', stateSince: at, percent: 100, dueAt: at },
        file: { name: file.name, sha256, bytes, expiresAt },
      }
      if (!(await replaceRun(trx, run, ready)))
        return await giveUpFile(trx, { officeId, sha256 }, at)
      await appendSystemEvent(trx, {
        ...eventOf(run, 'report.made', at),
        details: { report: run.kind, format: run.format, run: run.id, bytes, sha256 },
      })
    })
  } finally {
    await staged.discard()
  }
  await clearPieces(db, run.id)
}

/** Milliseconds between two times that the lease is renewed while the file is written. */
const RENEWED_EVERY = 20_000

async function* bytesOf(
  chunks: ReportFile['chunks'],
  held: Holding,
  isStopping: () => boolean,
): AsyncGenerator<Uint8Array> {
  let renewedAt = performance.now()
  for await (const chunk of chunks) {
    if (isStopping()) throw new NotMade('the process stops')
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (performance.now() - renewedAt < RENEWED_EVERY) continue
    if (!(await held.renew())) throw new NotMade('the run is over')
    renewedAt = performance.now()
  }
}

/** Tries again later, and gives up in the end. */
async function noteFailure(
  { db, clock }: Pick<Making, 'db' | 'clock'>,
  run: ReportRun,
): Promise<void> {
  const at = clock.now()
  const attempts = run.attempts + 1
  const isOver = attempts >= MOST_ATTEMPTS
  const next: ReportRun = {
    ...{ ...run, attempts, dueAt: after(at, minutes(attempts)) },
    ...(isOver && { state: 'failed', stateSince: at }),
  }
  const isOurs = await db.transaction(async (trx) => {
    if (!(await replaceRun(trx, run, next))) return false
    if (isOver)
      await appendSystemEvent(trx, {
        ...{ ...eventOf(run, 'report.failed', at), result: 'refused' },
        details: { report: run.kind, format: run.format, run: run.id },
      })
    return true
  })
  if (isOurs && isOver) await clearPieces(db, run.id)
}

const eventOf = (
  { officeId }: ReportRun,
  action: AuditEvent['action'],
  at: AuditEvent['at'],
): Omit<Parameters<typeof appendSystemEvent>[1], 'details'> => ({
  ...{ by: JOB, at, officeId, action, subject: { kind: 'office', id: officeId } },
  result: 'success',
})
