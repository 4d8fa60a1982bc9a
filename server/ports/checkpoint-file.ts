/**
 * The signed checkpoints of the log outside of the database, so that a database that was put back to an earlier
 * state does not know what this file knows.
 */
export type CheckpointFile = {
  /** The last one that was appended; undefined when there is none. */
  newest(): Promise<string | undefined>
  /** Durable once it returns. Two processes may append at once. */
  append(notes: readonly string[]): Promise<void>
  /** All of them, in the order in which they were appended; one may come twice. */
  list(): AsyncIterable<string>
}
