import { availableParallelism } from 'node:os'
import { seconds } from '#server/domain/time.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import { createProcessPool } from './pdf-work/process-pool.ts'
import { createPdfWork } from './pdf-work.ts'

/** What the processes may know of our environment. */
const ENVIRONMENT = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'TZ', 'LANG', 'SystemRoot']
/** For all tasks on one file: with a low priority they get less of the processor. */
export const TIME_FOR_PUBLIC_FILE = seconds(20)
/** Reports and codes that are asked for at once; uploads wait in a queue of their own. */
const MOST_WAITING = 64

type Options = {
  environmentOf: (names: readonly string[]) => Record<string, string>
  /** Is told why a process ended by itself. */
  report: (error: Error) => void
}

/** The work of the public, in processes of low priority. With two of them, uploads never occupy both. */
export function createPublicWork({ environmentOf, report }: Options): PdfWork & {
  close(): Promise<void>
} {
  const processes = availableParallelism() >= 4 ? 2 : 1
  const pool = createProcessPool({ processes, env: environmentOf(ENVIRONMENT), report })
  return createPdfWork({
    threads: processes,
    waiting: MOST_WAITING,
    patience: TIME_FOR_PUBLIC_FILE,
    pool,
  })
}
