import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQueue } from '#server/adapters/queue.ts'

/** Tasks that run until they are told to end; `begun` holds their names in the order of their turns. */
function office(places: number) {
  const { inTurn, isCrowded } = createQueue({ name: 'office', places })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    isCrowded,
    ask(name: string, isPatient = false) {
      const task = () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }
      return inTurn(task, { isPatient })
    },
    async end(name: string) {
      ends.get(name)?.()
      await pause(0)
    },
  }
}

test('queue: served in order, as many at a time as there are places', async () => {
  const { ask, begun, end } = office(2)
  for (const name of ['a', 'b', 'c', 'd']) ask(name)
  await pause(0)
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('queue: patient tasks leave one place for the others', async () => {
  const { ask, begun, end } = office(2)
  for (const name of ['stranger', 'another']) ask(name, true)
  await pause(0)
  expect(begun).toEqual(['stranger'])
  for (const name of ['notary', 'lawyer']) ask(name)
  await pause(0)
  expect(begun).toEqual(['stranger', 'notary'])
  await end('stranger')
  expect(begun).toEqual(['stranger', 'notary', 'lawyer'])
  await end('notary')
  expect(begun).toHaveLength(3)
  await end('lawyer')
  expect(begun.at(-1)).toBe('another')
})

test('queue: a single place serves patient tasks too', async () => {
  const { ask, begun } = office(1)
  ask('stranger', true)
  await pause(0)
  expect(begun).toEqual(['stranger'])
})

test('queue: a failing task releases its place', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 1 })
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(inTurn(async () => 'next')).resolves.toBe('next')
})

test('queue: refuse a patient task above the limit', async () => {
  const { ask, begun, end, isCrowded } = office(2)
  for (let i = 0; i < 17; i += 1) ask(`stranger ${i}`, true)
  await pause(0)
  expect(isCrowded()).toBe(true)
  await expect(ask('one more', true)).rejects.toMatchObject({
    code: 'too-many-attempts',
    kind: 'crowd',
  })
  ask('notary')
  await pause(0)
  expect(begun).toEqual(['stranger 0', 'notary'])
  await end('stranger 0')
  await end('notary')
  expect(isCrowded()).toBe(false)
})

test('queue: refuse a task when as many as allowed already wait', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 1, waiting: 1 })
  const end = Promise.withResolvers<void>()
  const first = inTurn(() => end.promise)
  const second = inTurn(async () => 'second')
  await expect(inTurn(async () => 'third')).rejects.toMatchObject({ code: 'too-many-attempts' })
  end.resolve()
  await first
  expect(await second).toBe('second')
  expect(await inTurn(async () => 'fourth')).toBe('fourth')
})

test('queue: refuse the second task of one owner, and serve other owners', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 2, ofOneOwner: 1 })
  const end = Promise.withResolvers<void>()
  const first = inTurn(() => end.promise, { owner: 'ana' })
  await expect(inTurn(async () => 1, { owner: 'ana' })).rejects.toMatchObject({
    code: 'too-many-attempts',
  })
  expect(await inTurn(async () => 2, { owner: 'benito' })).toBe(2)
  end.resolve()
  await first
  expect(await inTurn(async () => 3, { owner: 'ana' })).toBe(3)
})

test('queue: owners take turns, however many tasks one of them has', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 1 })
  const begun: string[] = []
  const ask = (owner: string) => inTurn(async () => void begun.push(owner), { owner })
  const many = Array.from({ length: 5 }, () => ask('ana'))
  await Promise.all([...many, ask('benito'), ask('benito'), ask('carla')])
  expect(begun).toEqual(['ana', 'benito', 'carla', 'ana', 'benito', 'ana', 'ana', 'ana'])
})

test('queue: a waiting task whose caller gave up is never run, and makes room for others', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 1, waiting: 1, ofOneOwner: 2 })
  const end = Promise.withResolvers<void>()
  const first = inTurn(() => end.promise, { owner: 'ana' })
  const leaving = new AbortController()
  const begun: string[] = []
  const left = inTurn(async () => void begun.push('left'), { owner: 'ana', signal: leaving.signal })
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const second = inTurn(async () => 'second', { owner: 'ana' })
  end.resolve()
  await first
  expect(await second).toBe('second')
  expect(begun).toEqual([])
})

test('queue: a patient task whose caller gave up no longer crowds the queue', async () => {
  const { inTurn, isCrowded } = createQueue({ name: 'office', places: 1, patientWaiting: 1 })
  const end = Promise.withResolvers<void>()
  const first = inTurn(() => end.promise)
  const leaving = new AbortController()
  const left = inTurn(async () => 1, { isPatient: true, signal: leaving.signal })
  expect(isCrowded()).toBe(true)
  leaving.abort()
  await expect(left).rejects.toMatchObject({ name: 'AbortError' })
  expect(isCrowded()).toBe(false)
  end.resolve()
  await first
})

test('queue: a task whose caller gave up before asking is refused', async () => {
  const { inTurn } = createQueue({ name: 'office', places: 1, ofOneOwner: 1 })
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(inTurn(async () => 1, { owner: 'ana', signal })).rejects.toThrow('gone')
  expect(await inTurn(async () => 2, { owner: 'ana' })).toBe(2)
})
