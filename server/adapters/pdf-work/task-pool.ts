import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { seconds } from '#server/domain/time.ts'

/** Runs the tasks of a module outside of this thread. */
export type TaskPool = {
  /**
   * @param options.name of the task: an export of the module
   * @param options.signal ends the task, with an `AbortError`
   * @throws {Error} what the task throws; with the code `ERR_WORKER_OUT_OF_MEMORY` when it took too much memory
   */
  run(task: unknown, options: { name: string; signal: AbortSignal }): Promise<unknown>
  /** Begins to measure. @returns the most processor time in milliseconds that one task may have used since */
  meter(): () => number
  /** Ends what is running, too. */
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  threads: number
  /** Most memory that the script of one thread may take, in megabytes. */
  memory: number
  /** The module with the tasks, when it is not our own. */
  worker?: URL | undefined
}

/** Threads of this process. One that takes too long or too much memory is replaced; the other tasks go on. */
export function createThreadPool({ threads, memory, worker }: ThreadPoolOptions): TaskPool {
  const pool = new Piscina({
    filename: fileURLToPath(worker ?? new URL('./worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: seconds(60),
    // A thread that sleeps in Atomics.wait could not finish what PDFium and zlib do asynchronously.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  return {
    run: (task, options) => pool.run(task, options),
    meter() {
      const before = timeOfOtherThreads()
      return () => timeOfOtherThreads() - before
    },
    close: () => pool.close({ force: true }),
  }
}

/** A page that is drawn leaves much behind at once; with less room a thread tidies up half of its time. */
const YOUNG_MEGABYTES = 48

/** In milliseconds; what the other tasks, the collector and the compiler use is in it. */
function timeOfOtherThreads(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()]
  return (all.user + all.system - own.user - own.system) / 1000
}
