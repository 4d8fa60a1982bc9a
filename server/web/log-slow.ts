import type { Logger } from 'pino'
import { type Duration, milliseconds } from '#server/domain/time.ts'

/** No task of the thread that serves requests takes longer. */
const SLOW = milliseconds(200)

/** Writes a line for each minute in which a request waited longer for the thread that serves them. */
export const logSlow =
  (log: Pick<Logger, 'warn'>) =>
  (longest: Duration): void => {
    if (longest > SLOW) log.warn({ milliseconds: longest }, 'slow')
  }
