import type { Logger } from 'pino'

/**
 * Logs an uncaught error and ends the process, whose state is now unknown. The supervisor starts it again.
 *
 * @param flush writes the log line before the process ends
 */
export function exitOnUncaught(log: Pick<Logger, 'fatal'>, flush: () => void): void {
  // Also receives unhandled rejections.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught')
    flush()
    process.exit(1)
  })
}
