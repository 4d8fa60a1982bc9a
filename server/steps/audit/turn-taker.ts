import { setImmediate as turn } from 'node:timers/promises'

/**
 * Milliseconds of work before a loop yields: SQLite answers synchronously and would block other requests. A request takes some turns of
 * the event loop, and waits in each for a check of the log, an export and whatever else runs.
 */
const AT_A_TIME = 4

/** Returns a function that yields to the event loop if the work since the last time took long. */
export function turnTaker(): () => Promise<void> {
  let turnAt = performance.now() + AT_A_TIME
  return async () => {
    if (performance.now() < turnAt) return
    await turn()
    turnAt = performance.now() + AT_A_TIME
  }
}
