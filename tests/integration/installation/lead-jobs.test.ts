import { expect, test } from 'vitest'
import { minutes, seconds } from '#server/domain/time.ts'
import { endJobLead, leadJobs, readJobLeader } from '#server/features/installation/lead-jobs.ts'
import { noteJobRun, readJobRuns } from '#server/features/installation/note-job-run.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('the process that runs the jobs', (current) => {
  test('of twenty that take the free place at once, one gets it', async () => {
    const system = current()
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, number) => leadJobs(system, `process ${number}`, undefined)),
    )
    const leaders = taken.filter((one) => one !== undefined)
    expect(leaders).toHaveLength(1)
    expect(await readJobLeader(system)).toEqual(leaders[0])
  })

  test('of twenty that saw the same silent leader, one takes the place', async () => {
    const system = current()
    const seen = await leadJobs(system, 'killed', undefined)
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, number) => leadJobs(system, `process ${number}`, seen)),
    )
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('a sign of life from before does not give the place back', async () => {
    const system = current()
    const first = await leadJobs(system, 'one', undefined)
    expect(await leadJobs(system, 'other', first)).toEqual({ holder: 'other', beat: 2 })
    expect(await leadJobs(system, 'one', first)).toBeUndefined()
    await endJobLead(system, first!)
    expect(await readJobLeader(system)).toEqual({ holder: 'other', beat: 2 })
  })

  test('after an end in good order the place is free, and the count goes on', async () => {
    const system = current()
    const led = await leadJobs(system, 'one', undefined)
    await endJobLead(system, led!)
    const free = await readJobLeader(system)
    expect(free).toEqual({ holder: null, beat: 1 })
    expect(await leadJobs(system, 'other', free)).toEqual({ holder: 'other', beat: 2 })
  })

  test('the last good end of a job is kept, and one of a wrong clock is not told', async () => {
    const system = current()
    await noteJobRun(system, 'check-log')
    system.wait(minutes(3))
    await noteJobRun(system, 'watch-arco')
    system.wait(seconds(5))
    expect(await readJobRuns(system)).toEqual(
      new Map([
        ['check-log', minutes(3) + seconds(5)],
        ['watch-arco', seconds(5)],
      ]),
    )
    system.wait(minutes(-4))
    expect(await readJobRuns(system)).toEqual(new Map())
  })
})
