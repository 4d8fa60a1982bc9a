import { format } from 'node:util'
import type { Logger } from 'pino'

/**
 * Makes one line of the log out of whatever a library prints for people, so that programs can read all of
 * the log, and so that no text of a stranger begins a line of its own.
 */
export function logWhatIsPrinted(log: Pick<Logger, 'error' | 'warn'>): void {
  console.error = (...printed) => log.error({ printed: format(...printed) }, 'printed')
  console.warn = (...printed) => log.warn({ printed: format(...printed) }, 'printed')
}
