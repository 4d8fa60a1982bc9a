import { parentPort, workerData } from 'node:worker_threads'
import { allReaders, caseOf, faultOfCase } from './cases.ts'

/*
 * Tries inputs one after the other. Records each input before it starts, so that the parent can report the one that
 * never ended.
 */

export type Work = { seed: number; from: number; to: number; current: SharedArrayBuffer }

/** Messages to the parent: a fault, the count of inputs so far, or a requested input. */
export type Message =
  | {
      kind: 'fault'
      number: number
      reader: string
      origin: string
      fault: string
      bytes: Uint8Array
    }
  | { kind: 'done'; counts: Record<string, number> }

const { seed, from, to, current } = workerData as Work
const progress = new Int32Array(current)
const readers = await allReaders()
const counts: Record<string, number> = {}
for (let number = from; number < to; number++) {
  const one = caseOf(readers, seed, number)
  Atomics.store(progress, 0, number + 1)
  counts[one.reader] = (counts[one.reader] ?? 0) + 1
  const fault = faultOfCase(one)
  if (fault !== undefined)
    post({
      kind: 'fault',
      number,
      reader: one.reader,
      origin: one.origin.name,
      fault,
      bytes: one.bytes,
    })
}
post({ kind: 'done', counts })

function post(message: Message): void {
  parentPort?.postMessage(message)
}
