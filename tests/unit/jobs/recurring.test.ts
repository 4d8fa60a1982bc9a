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

const TEN_MINUTES = 600_000 as Duration

/** A lead that the test gives and takes. */
function aLead() {
  const events: { gained(deposed: AbortSignal): void }[] = []
  const deposed = new AbortController()
  return {
    lead: (one: (typeof events)[0]) => {
      events.push(one)
      return async () => deposed.abort()
    },
    gain: () => events[0]?.gained(deposed.signal),
    lose: () => deposed.abort(),
  }
}

test('jobs: those of the installation run only while the process leads, its own always', async () => {
  const begun: string[] = []
  const job = (name: string) => ({ name, every: OFTEN, run: async () => void begun.push(name) })
  const jobs = [job('shared'), { ...job('own'), isOfProcess: true as const }]
  const { lead, gain, lose } = aLead()
  const stop = startJobs({} as System, () => undefined, { jobs, lead })
  while (begun.length < 3) await pause(OFTEN)
  expect(new Set(begun)).toEqual(new Set(['own']))
  gain()
  while (!begun.includes('shared')) await pause(OFTEN)
  lose()
  await pause(OFTEN)
  begun.length = 0
  while (begun.length < 3) await pause(OFTEN)
  expect(new Set(begun)).toEqual(new Set(['own']))
  await stop()
})

test('jobs: one that runs is told when the process does not lead any more', async () => {
  const { promise: told, resolve } = Promise.withResolvers<void>()
  const run = (_: System, over: AbortSignal) => {
    over.addEventListener('abort', () => resolve())
    return told
  }
  const { lead, gain, lose } = aLead()
  const stop = startJobs({} as System, () => undefined, {
    ...{ jobs: [{ name: 'slow', every: TEN_MINUTES, run }], lead },
  })
  gain()
  await pause(OFTEN * 4)
  lose()
  await told
  await stop()
})

test('jobs: one with a long interval is due by its last good end, not by the start', async () => {
  const begun: string[] = []
  const noted: string[] = []
  const job = (name: string, error?: Error) => ({
    ...{ name, every: TEN_MINUTES },
    run: async () => {
      begun.push(name)
      if (error) throw error
    },
  })
  const jobs = [job('recent'), job('due'), job('new'), job('failing', new Error('once more'))]
  const ages = new Map([
    ['recent', 1000 as Duration],
    ['due', (TEN_MINUTES + 1) as Duration],
  ])
  const stop = startJobs({} as System, () => undefined, {
    ...{ jobs, runs: async () => ages, noteRun: async (name: string) => void noted.push(name) },
  })
  while (begun.length < 3) await pause(OFTEN)
  await stop()
  expect(begun).toEqual(['due', 'new', 'failing'])
  expect(noted).toEqual(['due', 'new'])
})

test('jobs: they run also if it cannot be read when they last ran', async () => {
  const begun: string[] = []
  const failures: string[] = []
  const jobs = [{ name: 'due', every: TEN_MINUTES, run: async () => void begun.push('due') }]
  const stop = startJobs({} as System, (job) => failures.push(job), {
    ...{ jobs, runs: () => Promise.reject(new Error('the database recovers')) },
  })
  while (begun.length < 1) await pause(OFTEN)
  await stop()
  expect(failures).toEqual(['job-leader'])
})
