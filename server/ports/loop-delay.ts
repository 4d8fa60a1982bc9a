import type { Duration } from '#server/domain/time.ts'

/** How long requests waited for the thread that serves them. */
export type LoopDelay = {
  /** The longest wait of each of the last minutes, the latest one last; ten at most. */
  minutes(): readonly Duration[]
}
