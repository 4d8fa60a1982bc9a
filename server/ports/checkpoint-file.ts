import type { Log } from '#server/domain/audit/log.ts'

/**
 * A copy of the signed checkpoints outside the database. It reveals a database that was restored to an earlier
 * state.
 */
export type CheckpointFile = {
  /** The last appended checkpoint; undefined if there is none. */
  newest(): Promise<string | undefined>
  /** Durable once it returns. Two processes may append at once. */
  append(notes: readonly string[]): Promise<void>
  /** All checkpoints in the order of appending; may contain duplicates. */
  list(): AsyncIterable<string>
}

/** The file of each log. */
export type CheckpointFiles = { of(log: Pick<Log, 'number' | 'id'>): CheckpointFile }
