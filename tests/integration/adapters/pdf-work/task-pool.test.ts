import { expect, onTestFinished, test } from 'vitest'
import { createThreadPool } from '#server/adapters/pdf-work/task-pool.ts'

test('threads of a pool: none compiles PDFium, and each can start it', async () => {
  const worker = new URL('./uncompiled.ts', import.meta.url)
  const pool = createThreadPool({ threads: 2, memory: 64, worker })
  onTestFinished(() => pool.close())
  const run = () => pool.run(undefined, { name: 'start', signal: AbortSignal.timeout(60_000) })
  const started = { exports: true, passedOn: 7 }
  expect(await Promise.all([run(), run()])).toEqual([started, started])
})
