import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import {
  clockWithoutWaits,
  ownRecord,
  waitedForProcessor,
} from '#server/db/reader-thread/wait-for-processor.ts'

test('wait for a processor: the second number of the record, in nanoseconds', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-schedstat-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const record = path.join(folder, 'schedstat')
  writeFileSync(record, '8133333333 250500000 41\n')
  expect(waitedForProcessor(record)).toBe(250.5)
})

test('wait for a processor: 0 where the system does not tell, or the thread has ended', () => {
  expect(waitedForProcessor(undefined)).toBe(0)
  expect(waitedForProcessor('/proc/0/task/0/schedstat')).toBe(0)
})

test('wait for a processor: Linux tells that of this thread', () => {
  expect(waitedForProcessor(ownRecord()) > 0).toBe(process.platform === 'linux')
})

test('clock without waits: never goes back, though others take the processors', async () => {
  const others = Array.from(
    { length: 2 * availableParallelism() },
    () => new Worker('for (;;);', { eval: true }),
  )
  onTestFinished(async () => void (await Promise.all(others.map((one) => one.terminate()))))
  const record = ownRecord()
  const start = performance.now()
  let last = clockWithoutWaits(record)
  let back = 0
  while (performance.now() < start + 2000) {
    const now = clockWithoutWaits(record)
    if (now < last) back += 1
    last = now
  }
  expect(back).toBe(0)
})
