import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Duration } from '#server/domain/time.ts'
import { startJobs } from '#server/jobs/recurring.ts'
import type { System } from '#server/system.ts'

const OFTEN = 5 as Duration

test('jobs: each begins in a task of its own, the first at the next', async () => {
  const begun: string[] = []
  const jobs = ['one', 'two'].map((name) => ({
    ...{ name, every: 60_000 as Duration },
    run: async () => void begun.push(name),
  }))
  const stop = startJobs({} as System, () => undefined, { jobs })
  expect(begun).toEqual([])
  await pause(20)
  expect(begun).toEqual(['one'])
  while (begun.length < 2) await pause(OFTEN)
  expect(begun).toEqual(['one', 'two'])
  await stop()
})

test('jobs: one that has not begun does not begin after the end', async () => {
  const begun: string[] = []
  const jobs = ['one', 'two'].map((name) => ({
    ...{ name, every: 60_000 as Duration },
    run: async () => void begun.push(name),
  }))
  await startJobs({} as System, () => undefined, { jobs })()
  await pause(150)
  expect(begun).toEqual([])
})

test('a job that still runs is not begun beside itself, and the others go on', async () => {
  let slow = 0
  let quick = 0
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  const jobs = [
    {
      name: 'slow',
      every: OFTEN,
      run: () => {
        slow += 1
        return ended
      },
    },
    {
      name: 'quick',
      every: OFTEN,
      run: async () => {
        quick += 1
        throw new Error('once more')
      },
    },
  ]
  const failures: string[] = []
  const stop = startJobs({} as System, (job) => failures.push(job), { jobs })
  while (quick < 5) await pause(OFTEN)
  expect(slow).toBe(1)
  expect(failures.length).toBeGreaterThanOrEqual(4)
  finish()
  while (slow < 2) await pause(OFTEN)
  await stop()
})
