import type { Logger } from 'pino'

/**
 * Writes what nobody caught into the log, then ends the process: whatever it was in the midst of, nobody knows
 * its state any more. Whoever supervises the process starts it again.
 *
 * @param flush brings the line to its end before the process ends
 */
export function endWithLastError(log: Pick<Logger, 'fatal'>, flush: () => void): void {
  // A rejection that nobody handles comes here, too.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught')
    flush()
    process.exit(1)
  })
}
