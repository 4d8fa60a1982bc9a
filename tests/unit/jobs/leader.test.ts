import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { milliseconds } from '#server/domain/time.ts'
import { type LeaderStore, type SeenLeader, takePart } from '#server/jobs/leader.ts'

const TIMES = {
  beat: milliseconds(20),
  validity: milliseconds(200),
  patience: milliseconds(400),
}

/** The row of an installation in memory. */
function aRow() {
  let row: SeenLeader | undefined
  const isSame = (seen: SeenLeader | undefined) =>
    seen?.holder === row?.holder && seen?.beat === row?.beat
  const store: LeaderStore = {
    read: async () => row,
    async lead(holder, seen) {
      if (!isSame(seen)) return undefined
      row = { holder, beat: (seen?.beat ?? 0) + 1 }
      return row
    },
    async end(seen) {
      if (isSame(seen)) row = { ...seen, holder: null }
    },
  }
  return {
    store,
    row: () => row,
    setBack(beats: number) {
      if (row) row = { ...row, beat: row.beat - beats }
    },
  }
}

/** A process that takes part, and which notes when it led. */
function aProcess(store: LeaderStore) {
  const process = { isLeading: false, gained: 0, failures: [] as unknown[] }
  const end = takePart(
    store,
    {
      gained(deposed) {
        Object.assign(process, { isLeading: true, gained: process.gained + 1 })
        deposed.addEventListener('abort', () => Object.assign(process, { isLeading: false }))
      },
      failed: (error) => process.failures.push(error),
    },
    TIMES,
  )
  onTestFinished(end)
  return Object.assign(process, { end })
}

/** Waits until it is so; the test's own limit ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5)
}

test('leader: the first process leads and stays, the second does not', async () => {
  const { store } = aRow()
  const first = aProcess(store)
  await until(() => first.isLeading)
  const second = aProcess(store)
  await pause(TIMES.patience * 2)
  expect([first.isLeading, first.gained, second.gained]).toEqual([true, 1, 0])
})

test('leader: of twenty that start at once exactly one leads', async () => {
  const { store } = aRow()
  const processes = Array.from({ length: 20 }, () => aProcess(store))
  await until(() => processes.some(({ isLeading }) => isLeading))
  await pause(TIMES.beat * 3)
  expect(processes.filter(({ isLeading }) => isLeading)).toHaveLength(1)
})

test('leader: one that ends in good order leaves the place to the next without a wait', async () => {
  const { store, row } = aRow()
  const first = aProcess(store)
  await until(() => first.isLeading)
  await first.end()
  expect(row()?.holder).toBeNull()
  const began = performance.now()
  const second = aProcess(store)
  await until(() => second.isLeading)
  expect(performance.now() - began).toBeLessThan(TIMES.validity)
  expect(first.isLeading).toBe(false)
})

test('leader: one that gives no sign of life is replaced after the patience, not before', async () => {
  const { store } = aRow()
  await store.lead('a process that was killed', undefined)
  const began = performance.now()
  const second = aProcess(store)
  await until(() => second.isLeading)
  expect(performance.now() - began).toBeGreaterThanOrEqual(TIMES.patience)
})

test('leader: one that cannot reach the database stops before another process leads', async () => {
  const { store } = aRow()
  let isCut = false
  const cut: LeaderStore = {
    ...store,
    lead: (holder, seen) => (isCut ? Promise.reject(new Error('cut')) : store.lead(holder, seen)),
  }
  const first = aProcess(cut)
  await until(() => first.isLeading)
  const second = aProcess(store)
  isCut = true
  await until(() => second.isLeading)
  expect(first.isLeading).toBe(false)
  expect(first.failures).not.toEqual([])
})

test('leader: one whose place was taken stops at its next sign of life', async () => {
  const { store, row } = aRow()
  const first = aProcess(store)
  await until(() => first.isLeading)
  while (!(await store.lead('another', row()))) await pause(1)
  await until(() => !first.isLeading)
})

test('leader: one that was deposed by its own clock leads again at once, without a rival', async () => {
  const { store } = aRow()
  let isCut = false
  const cut: LeaderStore = {
    ...store,
    lead: (holder, seen) => (isCut ? Promise.reject(new Error('cut')) : store.lead(holder, seen)),
  }
  const process = aProcess(cut)
  await until(() => process.isLeading)
  isCut = true
  await until(() => !process.isLeading)
  isCut = false
  await until(() => process.isLeading)
  expect(process.gained).toBe(2)
})

test('leader: one whose row was set back goes on, and its jobs do not begin anew', async () => {
  const { store, row, setBack } = aRow()
  const process = aProcess(store)
  await until(() => (row()?.beat ?? 0) > 3)
  setBack(2)
  await pause(TIMES.beat * 4)
  expect([process.isLeading, process.gained]).toEqual([true, 1])
})
