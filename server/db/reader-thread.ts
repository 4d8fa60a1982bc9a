import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { type Duration, milliseconds, seconds } from '#server/domain/time.ts'
import type { ReadAnswer, ReadTask } from './reader-thread/task.ts'
import { waitedForProcessor } from './reader-thread/wait-for-processor.ts'

/** Further reads are not begun. */
const MOST_WAITING = 16
/** A read that waits longer for those before it is not begun. */
const LONGEST_WAIT = seconds(1)

/** A read that takes longer is given up, however busy the machine is. */
const LONGEST_READ = seconds(2)

/** The rows, and how long the query took, without its wait for others. */
export type ApartRead<Row> = { rows: Row[]; took: Duration }

export type ReaderThread = {
  /** @see `Database.readApart` */
  read<Row>(query: CompiledQuery<Row>, patience: Duration): Promise<ApartRead<Row> | undefined>
  close(): Promise<void>
}

/**
 * One thread with a read-only connection, for reads whose size the request thread must not bear. It starts with the first
 * read and runs one at a time.
 *
 * better-sqlite3 cannot interrupt a query. One that is late is abandoned: its caller goes on at once, and the next read begins
 * when it has ended.
 */
export function readerThread(file: string): ReaderThread {
  let started: Promise<Started> | undefined
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function worker(): Promise<Started> {
    if (!started) {
      const mine = start(file, () => {
        if (started === mine) started = undefined
      })
      started = mine
    }
    return started
  }

  /** Runs `work`, which never rejects, once those before it have ended. */
  function inTurn(work: () => Promise<void>): void {
    waiting += 1
    last = last.then(() => {
      waiting -= 1
      return work()
    })
  }

  function read<Row>(query: CompiledQuery<Row>, patience: Duration) {
    if (waiting >= MOST_WAITING) return Promise.resolve(undefined)
    const { promise, resolve, reject } = Promise.withResolvers<ApartRead<Row> | undefined>()
    const asked = performance.now()
    inTurn(async () => {
      if (performance.now() - asked > LONGEST_WAIT) return resolve(undefined)
      let stopWatching = () => {}
      try {
        const { thread, record } = await worker()
        stopWatching = whenLate(record, patience, () => giveUp(resolve))
        resolve((await ask(thread, query)) as ApartRead<Row>)
      } catch (error) {
        reject(error)
      } finally {
        stopWatching()
      }
    })
    return promise
  }

  return {
    read,
    async close() {
      const last = await started?.catch(() => undefined)
      await last?.thread.terminate()
    },
  }
}

/* If this thread was busy, the answer may be here already: it is read before what `setImmediate` runs. */
const giveUp = (resolve: (late: undefined) => void) => setImmediate(() => resolve(undefined))

/**
 * Calls `late` once the thread has run for longer than `patience`. On a busy machine it waits for a processor, and what it
 * does takes no longer for that.
 *
 * @returns stops watching
 */
function whenLate(record: string | undefined, patience: Duration, late: () => void): () => void {
  const began = performance.now()
  const waitedBefore = waitedForProcessor(record)
  let timer: NodeJS.Timeout
  function look(): void {
    const elapsed = performance.now() - began
    const left = patience - (elapsed - (waitedForProcessor(record) - waitedBefore))
    if (left <= 0 || elapsed >= LONGEST_READ) late()
    else timer = setTimeout(look, Math.max(1, left))
  }
  timer = setTimeout(look, patience)
  return () => clearTimeout(timer)
}

type Started = { thread: Worker; record: string | undefined }

async function start(file: string, ended: () => void): Promise<Started> {
  const worker = new Worker(new URL('./reader-thread/worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  // The next read starts another. An error without a listener would end the process.
  worker.on('exit', ended).on('error', ended)
  const [{ record }] = (await once(worker, 'message')) as [ReadAnswer & { kind: 'ready' }]
  worker.unref()
  return { thread: worker, record }
}

async function ask(worker: Worker, query: CompiledQuery): Promise<ApartRead<unknown>> {
  const { sql, parameters } = query
  const { promise, resolve, reject } = Promise.withResolvers<ApartRead<unknown>>()
  const hear = (answer: ReadAnswer) => {
    if (answer.kind === 'rows') resolve({ rows: answer.rows, took: milliseconds(answer.took) })
    else if (answer.kind === 'failed') reject(new Error(answer.message))
  }
  const end = () => reject(new Error('the thread of reads ended'))
  worker.on('message', hear).on('error', reject).on('exit', end)
  worker.postMessage({ sql, parameters } satisfies ReadTask)
  try {
    return await promise
  } finally {
    worker.off('message', hear).off('error', reject).off('exit', end)
  }
}
