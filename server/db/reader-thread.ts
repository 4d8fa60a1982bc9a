import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { type Duration, milliseconds, seconds } from '#server/domain/time.ts'
import type { ReadAnswer, ReadTask } from './reader-thread/task.ts'

/** Further reads are not begun. */
const MOST_WAITING = 16
/** A read that waits longer for those before it is not begun. */
const LONGEST_WAIT = seconds(1)

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
  let started: Promise<Worker> | undefined
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function worker(): Promise<Worker> {
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
      let late: NodeJS.Timeout | undefined
      try {
        const thread = await worker()
        late = setTimeout(() => giveUp(resolve), patience)
        resolve((await ask(thread, query)) as ApartRead<Row>)
      } catch (error) {
        reject(error)
      } finally {
        clearTimeout(late)
      }
    })
    return promise
  }

  return {
    read,
    async close() {
      const thread = await started?.catch(() => undefined)
      await thread?.terminate()
    },
  }
}

/* If this thread was busy, the answer may be here already: it is read before what `setImmediate` runs. */
const giveUp = (resolve: (late: undefined) => void) => setImmediate(() => resolve(undefined))

async function start(file: string, ended: () => void): Promise<Worker> {
  const worker = new Worker(new URL('./reader-thread/worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  // The next read starts another. An error without a listener would end the process.
  worker.on('exit', ended).on('error', ended)
  await once(worker, 'message')
  worker.unref()
  return worker
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
