import { Worker } from 'node:worker_threads'
import type { ReportFiles } from '#server/ports/report-files.ts'
import type { FromThread, ToThread } from './messages.ts'

/** A thread takes as much memory as the longest sheet needs. */
const MEMORY = 512

/** A thread for each file, which ends with it. */
export function createReportFiles(): ReportFiles {
  return {
    async *write(format, head, pieces, { isLong }) {
      const worker = new Worker(new URL('./thread.ts', import.meta.url), {
        workerData: { format, head, isLong },
        resourceLimits: { maxOldGenerationSizeMb: MEMORY },
      })
      try {
        yield* exchange(worker, pieces)
      } finally {
        await worker.terminate()
      }
    },
  }
}

/** Sends a piece whenever the thread asks for one, and yields what it writes. */
async function* exchange(
  worker: Worker,
  pieces: Parameters<ReportFiles['write']>[2],
): AsyncGenerator<Uint8Array> {
  const source =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const inbox = inboxOf(worker)
  try {
    for (;;) {
      const message = await inbox.next()
      if (message.kind === 'written') yield message.bytes
      if (message.kind === 'done') return
      if (message.kind === 'failed') throw new Error(`the file was not written: ${message.reason}`)
      if (message.kind === 'next') {
        const piece = await source.next()
        const answer: ToThread = piece.done ? { kind: 'end' } : piece.value
        worker.postMessage(answer)
      }
    }
  } finally {
    await source.return?.()
  }
}

/** The messages of the thread in their order. A thread that ends by itself is a message, too. */
function inboxOf(worker: Worker) {
  const waiting: FromThread[] = []
  let wake = () => {}
  const put = (message: FromThread) => {
    waiting.push(message)
    wake()
  }
  worker.on('message', put)
  worker.on('error', (error: Error) => put({ kind: 'failed', reason: error.message }))
  worker.on('exit', () => put({ kind: 'failed', reason: 'its thread ended' }))
  return {
    async next(): Promise<FromThread> {
      for (;;) {
        const message = waiting.shift()
        if (message) return message
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
