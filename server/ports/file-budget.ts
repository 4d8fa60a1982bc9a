import type { Duration } from '#server/domain/time.ts'

/**
 * The time that the tasks on one file may still run, all together. The first task that gets it sets it by the size
 * of the file, and each one uses some; a task that has none left is refused. Waiting for a turn, or for an
 * authority, costs nothing.
 */
export type FileBudget = { left?: Duration }

/** @see PdfWork */
export type TaskOptions = {
  /**
   * Runs after all other work and never occupies the whole machine; refused with `too-many-attempts` when too many
   * are waiting.
   */
  isPatient?: boolean
  /** Shared with the other tasks on the same file; absent: this task has a time of its own. */
  budget?: FileBudget
  /** Aborted when the caller gives up: the task leaves the queue, or ends, and throws the reason. */
  signal?: AbortSignal | undefined
}
