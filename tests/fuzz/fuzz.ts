import { Worker } from 'node:worker_threads'
import type { Message, Work } from './worker.ts'

type Fault = {
  number: number
  reader: string
  origin: string
  fault: string
  bytes: Uint8Array
}
export type Result = { tried: number; counts: Record<string, number>; faults: Fault[] }

/** No input takes a reader longer. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 500
/** Making the keys of the honest inputs. */
const START_MS = 60_000

/**
 * Tries `count` inputs in a worker thread. A worker that takes too long is terminated, and the next one continues.
 */
export async function fuzz(seed: number, count: number): Promise<Result> {
  const result: Result = { tried: count, counts: {}, faults: [] }
  for (let from = 0; from < count; ) from = await tryFrom(from, count, seed, result)
  return result
}

/** @returns the number of the next input */
function tryFrom(from: number, to: number, seed: number, result: Result): Promise<number> {
  const current = new SharedArrayBuffer(4)
  const progress = new Int32Array(current)
  const workerData: Work = { seed, from, to, current }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return new Promise((resolve) => {
    let last = 0
    let since = performance.now()
    const end = (next: number) => {
      clearInterval(watch)
      void worker.terminate()
      resolve(next)
    }
    const fail = (fault: string) => {
      const number = Atomics.load(progress, 0) - 1
      result.faults.push({ number, reader: '?', origin: '?', fault, bytes: new Uint8Array() })
      end(Math.max(number, from) + 1)
    }
    const watch = setInterval(() => {
      const now = Atomics.load(progress, 0)
      if (now !== last) since = performance.now()
      last = now
      if (performance.now() - since > (now === 0 ? START_MS : PATIENCE_MS)) fail('does not end')
    }, LOOK_EVERY_MS)
    worker.on('message', (message: Message) => {
      if (message.kind === 'fault') result.faults.push(message)
      else {
        for (const [reader, tried] of Object.entries(message.counts))
          result.counts[reader] = (result.counts[reader] ?? 0) + tried
        end(to)
      }
    })
    worker.on('error', (error) => fail(`crashed the thread: ${error.stack ?? error}`))
  })
}
