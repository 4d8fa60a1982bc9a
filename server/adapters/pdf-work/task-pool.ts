import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { seconds } from '#server/domain/time.ts'
import { compileProgram, type ThreadData } from './pdfium-program.ts'

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

/**
 * Threads of this process. One that takes too long or too much memory is replaced; the other tasks go on.
 *
 * The code of WebAssembly belongs to the pool and lasts as long: V8 aborts the process now and then when threads
 * that begin and end compile and free such code.
 *
 * @see https://github.com/nodejs/node/issues/64500
 */
export function createThreadPool(options: ThreadPoolOptions): TaskPool {
  let started: Promise<Piscina> | undefined
  const start = async () => startThreads(options, { program: await compileProgram() })
  return {
    async run(task, how) {
      started ??= start()
      return (await started).run(task, how)
    },
    meter() {
      const before = timeOfOtherThreads()
      return () => timeOfOtherThreads() - before
    },
    close: async () => (await started)?.close({ force: true }),
  }
}

const startThreads = ({ threads, memory, worker }: ThreadPoolOptions, data: ThreadData) =>
  new Piscina({
    workerData: data,
    filename: fileURLToPath(worker ?? new URL('./worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: seconds(60),
    // A thread that sleeps in Atomics.wait could not finish what PDFium and zlib do asynchronously.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })

/** A page that is drawn leaves much behind at once; with less room a thread tidies up half of its time. */
const YOUNG_MEGABYTES = 48

/** In milliseconds; what the other tasks, the collector and the compiler use is in it. */
function timeOfOtherThreads(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()]
  return (all.user + all.system - own.user - own.system) / 1000
}
