import { Worker } from 'node:worker_threads'
import type { Answer, Counts, Found, Order, Work } from './worker.ts'

/** So many are drawn with one call of a program. */
const AT_ONCE = 200

export type Result = Counts & { found: readonly Found[] }

/** Verifies `count` mutated files in threads, and draws those that are called VALID. */
export async function drawMutatedFiles(
  { seed, count, threads }: { seed: number; count: number; threads: number },
  onProgress: (result: Result) => void,
): Promise<Result> {
  const result = {
    made: 0,
    valid: 0,
    drawn: 0,
    unread: {} as Record<string, number>,
    found: [] as Found[],
  }
  let next = 0
  const order = (): Order | undefined => {
    const from = next
    next = Math.min(count, from + AT_ONCE)
    return from < next ? { from, to: next } : undefined
  }
  const add = ({ counts, found }: Answer) => {
    result.made += counts.made
    result.valid += counts.valid
    result.drawn += counts.drawn
    for (const [reader, files] of Object.entries(counts.unread))
      result.unread[reader] = (result.unread[reader] ?? 0) + files
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
