import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, milliseconds, seconds } from '#server/domain/time.ts'
import type { FromProcess, SentError, ToProcess } from './messages.ts'
import { processorTimeOf, timeSince } from './processor-time.ts'
import type { TaskPool } from './task-pool.ts'

export type ProcessPoolOptions = {
  processes: number
  /** The environment of the processes: nothing secret. */
  env: Record<string, string>
  /** Most memory that the script of one task may take, in megabytes. */
  memory?: number
  /** Most memory of a process, in megabytes. */
  wholeMemory?: number
  /** How long a process may take to end a task before it is killed. */
  grace?: Duration
  /** How long no process is started after one ended by itself; twice as long each time until one works. */
  pause?: Duration
  /** A process without work is ended after this time. */
  idle?: Duration
  /** The module with the tasks, when it is not our own. */
  worker?: URL
  /** Is told why a process ended by itself. */
  report?: (error: Error) => void
}

/** In megabytes. */
export const MEMORY_OF_TASK = 512
export const MEMORY_OF_PROCESS = 1024
const LONGEST_PAUSE = seconds(60)
const PROGRAM = fileURLToPath(new URL('./process.ts', import.meta.url))
/** In megabytes: the main thread passes messages on; a picture or a report is the largest. */
const HEAP_OF_MAIN_THREAD = 256

type Running = {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** One process and its task. */
type Worker = {
  readonly child: ChildProcess
  isReady: boolean
  running: (Running & { id: number }) | undefined
  /** Ends the process when it has had no work for a while. */
  idle?: NodeJS.Timeout
}

/**
 * Runs tasks in processes of low priority, one task each. They start when there is work, know no secret, and end with
 * this process. A process that ends by itself takes nothing with it but its task, and the next one starts after a
 * pause.
 */
export function createProcessPool(options: ProcessPoolOptions): TaskPool {
  const { processes, grace = seconds(2), idle = seconds(60), report = () => {} } = options
  const workers = new Set<Worker>()
  const rest = restAfterCrash(options.pause ?? seconds(1))
  let isClosed = false
  let lastId = 0

  function start(): Worker {
    const worker: Worker = { child: forkChild(options), isReady: false, running: undefined }
    workers.add(worker)
    worker.child.on('message', (message: FromProcess) => hear(worker, message))
    // `exit` follows, unless it could not be started at all.
    worker.child.on('error', (error) => lose(worker, error))
    worker.child.on('exit', (code, signal) =>
      lose(worker, new Error(`ended with ${code ?? signal}`)),
    )
    return worker
  }

  function hear(worker: Worker, message: FromProcess): void {
    if (message.kind === 'ready') {
      worker.isReady = true
      return
    }
    const { running } = worker
    if (running?.id !== message.id) return
    worker.running = undefined
    worker.idle = setTimeout(() => end(worker), idle).unref()
    rest.forget()
    if (message.kind === 'done') running.resolve(message.value)
    else running.reject(errorOf(message.error))
  }

  /** Called when a process is gone; harmless the second time. */
  function lose(worker: Worker, cause: Error): void {
    clearTimeout(worker.idle)
    if (!workers.delete(worker)) return
    rest.begin()
    const { running, isReady } = worker
    worker.running = undefined
    const message = `a process of public verification ended: ${cause.message}`
    const error = new Error(message, { cause })
    report(error)
    // A process that worked was ended by its task: by its memory, or by a fault that ends processes.
    running?.reject(isReady ? Object.assign(error, { code: 'ERR_WORKER_OUT_OF_MEMORY' }) : error)
  }

  /** Ends a process on purpose. */
  function end(worker: Worker): void {
    workers.delete(worker)
    clearTimeout(worker.idle)
    worker.child.kill('SIGKILL')
  }

  function freeWorker(): Worker {
    const free = [...workers].find((worker) => !worker.running)
    if (free) return free
    if (isClosed || workers.size >= processes) throw new Error('no process is free')
    rest.mustBeOver()
    return start()
  }

  return {
    async run(task, { name, signal }) {
      signal.throwIfAborted()
      const worker = freeWorker()
      clearTimeout(worker.idle)
      const id = ++lastId
      let killing: NodeJS.Timeout | undefined
      const abort = () => {
        tell(worker, { kind: 'abort', id })
        killing = setTimeout(() => worker.child.kill('SIGKILL'), grace)
      }
      try {
        return await new Promise((resolve, reject) => {
          worker.running = { id, resolve, reject }
          tell(worker, { kind: 'run', id, name, task })
          signal.addEventListener('abort', abort, { once: true })
        })
      } catch (error) {
        // Also when it was killed because it did not end the task.
        throw signal.aborted ? signal.reason : error
      } finally {
        signal.removeEventListener('abort', abort)
        clearTimeout(killing)
      }
    },
    meter() {
      const before = new Map([...workers].map((worker) => [worker, timeOf(worker)]))
      return () => {
        const times = [...workers].map((worker) => timeSince(before.get(worker), timeOf(worker)))
        return times.reduce((sum, time) => sum + time, 0)
      }
    },
    async close() {
      isClosed = true
      for (const worker of [...workers]) {
        const { running } = worker
        end(worker)
        running?.reject(new Error('the server stops'))
      }
    },
  }
}

function forkChild({ env, worker, ...limits }: ProcessPoolOptions): ChildProcess {
  const { memory = MEMORY_OF_TASK, wholeMemory = MEMORY_OF_PROCESS } = limits
  return fork(PROGRAM, [String(memory), String(wholeMemory), worker?.href ?? ''], {
    serialization: 'advanced',
    env,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${HEAP_OF_MAIN_THREAD}`,
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

const timeOf = ({ child }: Worker): number => processorTimeOf(child.pid)

function tell({ child }: Worker, message: ToProcess): void {
  // A process that is gone is heard of by its `exit`.
  child.send(message, () => undefined)
}

/** Counts crashes in a row; the pause after each is twice as long as the one before. */
function restAfterCrash(first: Duration) {
  let crashes = 0
  let until = 0
  return {
    begin() {
      until = performance.now() + Math.min(first * 2 ** crashes, LONGEST_PAUSE)
      crashes += 1
    },
    forget() {
      crashes = 0
    },
    /** @throws {Problem} `verification-busy` */
    mustBeOver() {
      const left = until - performance.now()
      if (left <= 0) return
      throw new Problem('verification-busy', `${crashes} processes of public verification ended`, {
        retryAfter: milliseconds(Math.ceil(left)),
      })
    },
  }
}

const errorOf = ({ name, message, stack, code }: SentError): Error =>
  Object.assign(new Error(message), { name, stack, ...(code !== undefined && { code }) })
