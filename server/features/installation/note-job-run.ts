import { listJobRuns, replaceJobRun } from '#server/db/jobs/job-runs.ts'
import { type Duration, milliseconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

type Stored = Pick<System, 'db' | 'clock'>

/** Remembers that a job ended well, for the processes that start later. */
export async function noteJobRun({ db, clock }: Stored, job: string): Promise<void> {
  await db.transaction((trx) => replaceJobRun(trx, job, clock.now()))
}

/** How long ago each job ended well, by name. One that ended in the future, because a clock was wrong, is left out. */
export async function readJobRuns({ db, clock }: Stored): Promise<Map<string, Duration>> {
  const now = clock.now()
  const runs = [...(await listJobRuns(db))].filter(([, at]) => at <= now)
  return new Map(runs.map(([job, at]) => [job, milliseconds(now - at)]))
}
