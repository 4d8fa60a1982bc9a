import { format } from 'node:util'
import type { Logger } from 'pino'

/** Room for the trace of an error; a library may print the whole address of a request, 16 KB. */
const MOST_LETTERS = 4_000

/**
 * Turns what libraries print into single log lines, so that programs can parse the whole log and text from
 * clients cannot start a new line.
 */
export function logConsole(log: Pick<Logger, 'error' | 'warn'>): void {
  const lineOf = (printed: unknown[]) => ({ printed: format(...printed).slice(0, MOST_LETTERS) })
  console.error = (...printed) => log.error(lineOf(printed), 'printed')
  console.warn = (...printed) => log.warn(lineOf(printed), 'printed')
}
