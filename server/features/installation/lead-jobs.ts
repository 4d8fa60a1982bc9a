import { findJobLeader, type JobLeader, replaceJobLeader } from '#server/db/jobs/job-leader.ts'
import type { System } from '#server/system.ts'

type Stored = Pick<System, 'db'>

/** Which process runs the recurring jobs; undefined before the first one. */
export const readJobLeader = ({ db }: Stored): Promise<JobLeader | undefined> => findJobLeader(db)

/**
 * Takes the place of the leader that was seen, or confirms it. No clock is compared: those of two machines differ.
 *
 * @returns the leader as it is now; undefined if another process was first
 */
export async function leadJobs(
  { db }: Stored,
  holder: string,
  seen: JobLeader | undefined,
): Promise<JobLeader | undefined> {
  const next = { holder, beat: (seen?.beat ?? 0) + 1 }
  return (await db.transaction((trx) => replaceJobLeader(trx, seen, next))) ? next : undefined
}

/** Frees the place, so that another process takes it without waiting. */
export async function endJobLead({ db }: Stored, seen: JobLeader): Promise<void> {
  await db.transaction((trx) => replaceJobLeader(trx, seen, { ...seen, holder: null }))
}
