import { expect, test } from 'vitest'
import { performInTurn } from '#server/demo/year/in-turn.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Each task reads for a while, then writes; the later ones read faster. */
async function run(tasks: readonly { name: string; key?: string }[], failing?: string) {
  const [read, written]: [string[], string[]] = [[], []]
  const done = performInTurn(
    tasks,
    4,
    ({ key }) => key,
    async ({ name }, turn) => {
      read.push(name)
      await pause((10 - Number(name)) * 3)
      await turn()
      if (name === failing) throw new Error(`${name} failed`)
      written.push(name)
    },
  )
  const error = await done.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  )
  return { read, written, error }
}

const tasks = ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => ({ name, key: name }))

test('tasks write in their order, however fast they read', async () => {
  const { written, error } = await run(tasks)
  expect(error).toBeUndefined()
  expect(written).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

test('tasks of one key begin one after the other, others at the same time', async () => {
  const events: string[] = []
  const keyed = [
    { name: '1', key: 'a' },
    { name: '2', key: 'b' },
    { name: '3', key: 'a' },
    { name: '4', key: undefined },
  ]
  await performInTurn(
    keyed,
    4,
    ({ key }) => key,
    async ({ name }, turn) => {
      events.push(`${name} begins`)
      await pause(5)
      await turn()
      events.push(`${name} ends`)
    },
  )
  const before = (one: string, other: string) =>
    expect(events.indexOf(one)).toBeLessThan(events.indexOf(other))
  before('2 begins', '1 ends')
  before('1 ends', '3 begins')
  before('3 ends', '4 begins')
})

test('after an error no later task writes, and the first error is thrown', async () => {
  const { written, error } = await run(tasks, '3')
  expect(error).toBe('3 failed')
  expect(written).toEqual(['1', '2'])
})
