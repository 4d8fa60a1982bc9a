import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work before a loop yields: SQLite answers synchronously and would block other requests. */
const AT_A_TIME = 10

/** Returns a function that yields to the event loop if the work since the last time took long. */
export function turnTaker(): () => Promise<void> {
  let turnAt = performance.now() + AT_A_TIME
  return async () => {
    if (performance.now() < turnAt) return
    await turn()
    turnAt = performance.now() + AT_A_TIME
  }
}
