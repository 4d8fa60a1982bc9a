import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Duration } from '#server/domain/time.ts'
import { startJobs } from '#server/jobs/recurring.ts'
import type { System } from '#server/system.ts'

const OFTEN = 5 as Duration

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
  const stop = startJobs({} as System, (job) => failures.push(job), jobs)
  while (quick < 5) await pause(OFTEN)
  expect(slow).toBe(1)
  expect(failures.length).toBeGreaterThanOrEqual(4)
  finish()
  while (slow < 2) await pause(OFTEN)
  await stop()
})
