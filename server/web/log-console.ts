import { format } from 'node:util'
import type { Logger } from 'pino'

/**
 * Turns what libraries print into single log lines, so that programs can parse the whole log and text from
 * clients cannot start a new line.
 */
export function logConsole(log: Pick<Logger, 'error' | 'warn'>): void {
  console.error = (...printed) => log.error({ printed: format(...printed) }, 'printed')
  console.warn = (...printed) => log.warn({ printed: format(...printed) }, 'printed')
}
