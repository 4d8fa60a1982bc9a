import { Worker } from 'node:worker_threads'
import type { Answer, Counts, Found, Order, Work } from './worker.ts'

/** So many are drawn with one call of a program. */
const AT_ONCE = 200

export type Result = Counts & { found: readonly Found[] }

export type Wanted = { seed: number; numbers: readonly number[]; threads: number }

/** Verifies the mutated files of these numbers in threads, and draws those that are called VALID. */
export async function drawMutatedFiles(
  { seed, numbers, threads }: Wanted,
  onProgress: (result: Result) => void,
): Promise<Result> {
  const result = {
    made: 0,
    valid: 0,
    drawn: 0,
    unread: {} as Record<string, number[]>,
    found: [] as Found[],
  }
  let next = 0
  const order = (): Order | undefined => {
    const some = numbers.slice(next, next + AT_ONCE)
    next += some.length
    return some.length > 0 ? some : undefined
  }
  const add = ({ counts, found }: Answer) => {
    result.made += counts.made
    result.valid += counts.valid
    result.drawn += counts.drawn
    for (const [reader, files] of Object.entries(counts.unread))
      result.unread[reader] = [...(result.unread[reader] ?? []), ...files]
    result.found.push(...found)
    onProgress(result)
  }
  await Promise.all(Array.from({ length: threads }, () => work({ seed }, order, add)))
  return result
}

/** One thread, until there are no more orders. @throws {Error} of the thread */
function work(
  workerData: Work,
  order: () => Order | undefined,
  add: (answer: Answer) => void,
): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
  return new Promise<void>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', (message: Answer | 'ready') => {
      if (message !== 'ready') add(message)
      const more = order()
      if (more) worker.postMessage(more)
      else resolve()
    })
  }).finally(() => worker.terminate())
}
