import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import {
  createProcessPool,
  type ProcessPoolOptions,
} from '#server/adapters/pdf-work/process-pool.ts'
import type { TaskPool } from '#server/adapters/pdf-work/task-pool.ts'
import { milliseconds, seconds } from '#server/domain/time.ts'

const worker = new URL('./hostile-tasks.ts', import.meta.url)
const pools: TaskPool[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

function poolWith(options: Partial<ProcessPoolOptions> = {}) {
  const ends: string[] = []
  const report = (error: Error) => ends.push(error.message)
  const pool = createProcessPool({ processes: 1, env: { TZ: 'UTC' }, worker, report, ...options })
  pools.push(pool)
  const run = (name: string, task: unknown = {}, signal = new AbortController().signal) =>
    pool.run(task, { name, signal })
  return { pool, run, ends }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const soon = { timeout: 20_000, interval: 50 }

test('process: does the task, and the next one, without any variable of ours', async () => {
  process.env.RUBRICA_SECRET = 'secret'
  const { run, ends } = poolWith()
  const sent = { bytes: new Uint8Array([1, 2]), nothing: undefined }
  expect(await run('echo', sent)).toEqual(sent)
  const { env, priorities } = (await run('surroundings')) as {
    env: Record<string, string>
    priorities: number[]
  }
  delete process.env.RUBRICA_SECRET
  // The channel to the server is told in two variables of Node.
  const names = Object.keys(env).filter((name) => !name.startsWith('NODE_CHANNEL_'))
  expect(names).toEqual(['TZ'])
  expect(new Set(priorities)).toEqual(new Set([Math.min(19, os.getPriority() + 10)]))
  expect(await run('pidOf')).toBe(await run('pidOf'))
  expect(ends).toEqual([])
})

test('process: a failure of the task keeps its name and its words', async () => {
  const { run, ends } = poolWith()
  await expect(run('refuse')).rejects.toThrow('not this one')
  await expect(run('refuse')).rejects.toHaveProperty('name', 'TypeError')
  expect(ends).toEqual([])
})

test('process: a task that runs in circles is ended, and the process goes on', async () => {
  const { run, ends } = poolWith()
  const pid = await run('pidOf')
  const clock = new AbortController()
  setTimeout(() => clock.abort(), 500)
  await expect(run('loop', {}, clock.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(await run('pidOf')).toBe(pid)
  expect(ends).toEqual([])
})

test('process: is measured by the processor time that it used', async () => {
  const { pool, run } = poolWith()
  const pid = (await run('pidOf')) as number
  const spent = pool.meter()
  process.kill(pid, 'SIGSTOP')
  await pause(300)
  expect(spent()).toBeLessThan(50)
  process.kill(pid, 'SIGCONT')
  const clock = new AbortController()
  const looping = run('loop', {}, clock.signal)
  await expect.poll(spent, soon).toBeGreaterThan(300)
  clock.abort()
  await expect(looping).rejects.toMatchObject({ name: 'AbortError' })
})

test('process: is killed when it does not end a task in time, and the next one starts after a pause', async () => {
  const { run, ends } = poolWith({ grace: milliseconds(200), pause: milliseconds(300) })
  const pid = (await run('pidOf')) as number
  const clock = new AbortController()
  const looping = run('loop', {}, clock.signal)
  process.kill(pid, 'SIGSTOP')
  clock.abort()
  await expect(looping).rejects.toMatchObject({ name: 'AbortError' })
  expect(ends).toHaveLength(1)
  await expect(run('pidOf')).rejects.toMatchObject({ code: 'verification-busy' })
  await pause(400)
  expect(await run('pidOf')).not.toBe(pid)
})

test('process: a task that takes too much memory is ended by its thread', async () => {
  const { run, ends } = poolWith({ memory: 64 })
  await expect(run('hoard')).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
  expect(await run('echo', 'next')).toBe('next')
  expect(ends).toEqual([])
})

test.each([
  ['takes too many bytes outside of the heap', 'hoardBytes'],
  ['crashes', 'crash'],
])('process: one whose task %s is gone, and the server goes on', async (_, name) => {
  const { run, ends } = poolWith({ wholeMemory: 400, pause: milliseconds(200) })
  const pid = (await run('pidOf')) as number
  await expect(run(name)).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
  expect(ends).toHaveLength(1)
  await expect(run('pidOf')).rejects.toMatchObject({ code: 'verification-busy' })
  await expect.poll(() => run('pidOf').catch(() => pid), soon).not.toBe(pid)
})

test('process: one that cannot start says nothing about the file, and is not started again and again', async () => {
  const { run, ends } = poolWith({
    env: { NODE_OPTIONS: '--no-such-option' },
    pause: seconds(30),
  })
  const failure = (await run('echo').catch((error) => error)) as Error
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toHaveProperty('code')
  for (let turn = 0; turn < 3; turn += 1)
    await expect(run('echo')).rejects.toMatchObject({ code: 'verification-busy' })
  expect(ends).toHaveLength(1)
})

test('process: the pause doubles with each crash in a row', async () => {
  const { run } = poolWith({ pause: milliseconds(400) })
  const waits: unknown[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    await expect.poll(() => run('crash').catch(({ code }) => code), soon).toMatch(/MEMORY/)
    waits.push(await run('echo').catch(({ retryAfter }) => retryAfter))
  }
  const [first = 0, second = 0] = waits as number[]
  expect(first).toBeLessThanOrEqual(400)
  expect(second).toBeGreaterThan(400)
  expect(second).toBeLessThanOrEqual(800)
})

test('process: is ended when it has no work for a while', async () => {
  const { run, ends } = poolWith({ idle: milliseconds(100) })
  const pid = (await run('pidOf')) as number
  await expect.poll(() => isAlive(pid), soon).toBe(false)
  expect(await run('pidOf')).not.toBe(pid)
  expect(ends).toEqual([])
})

test('close: ends the process and the task in it', async () => {
  const { pool, run } = poolWith()
  const pid = (await run('pidOf')) as number
  const looping = run('loop').catch(({ message }) => message)
  await pool.close()
  expect(await looping).toBe('the server stops')
  await expect.poll(() => isAlive(pid), soon).toBe(false)
  await expect(run('echo')).rejects.toThrow('no process is free')
})

test('process: does not outlive a server that is killed while its task runs in circles', async () => {
  const server = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./abandoned-pool.ts', import.meta.url)),
  ])
  const [said] = await once(server.stdout, 'data')
  const pid = Number(String(said))
  expect(isAlive(pid)).toBe(true)
  // Long enough for the task to begin.
  await pause(500)
  server.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), soon).toBe(false)
})
