import { expect, test } from 'vitest'
import {
  type CrossReferenceEntry,
  EntryTable,
} from '#server/domain/pdf/cross-reference/entry-table.ts'

const at = (offset: number, generation = 0): CrossReferenceEntry => ({
  kind: 'offset',
  offset,
  generation,
})

/** Every kind of entry, with the largest numbers that a file can state. */
const ENTRIES: readonly CrossReferenceEntry[] = [
  at(0),
  at(1),
  at(2 ** 31),
  at(999_999_999_999_999),
  at(17, 3),
  at(17, 65_535),
  { kind: 'compressed', stream: 0, index: 0 },
  { kind: 'compressed', stream: 9, index: 2 ** 20 - 1 },
  { kind: 'compressed', stream: 9, index: 2 ** 20 },
  { kind: 'compressed', stream: 2 ** 52, index: 2 ** 52 },
  { kind: 'free', generation: 0 },
  { kind: 'free', generation: 65_535 },
  { kind: 'free', generation: 2 ** 52 },
]

/** Near each other, far from each other, before the first one. */
const NUMBERS = [5, 6, 7, 300, 4, 0, 1000, 900_000, 2 ** 31, 2 ** 50, 8]

test('entries: each is given back as it was put in, under any number', () => {
  for (const entry of ENTRIES) {
    const table = new EntryTable()
    for (const number of NUMBERS) table.set(number, entry)
    expect(table.size).toBe(NUMBERS.length)
    for (const number of NUMBERS) expect(table.get(number)).toEqual(entry)
    expect(table.get(9)).toBeUndefined()
    expect(table.has(-1)).toBe(false)
  }
})

test('entries: replaced, taken over and deleted, they are those of a map', () => {
  const [table, map] = [new EntryTable(), new Map<number, CrossReferenceEntry>()]
  const steps = Array.from({ length: 3000 }, (_, step) => (step * 7919) % 1009)
  for (const [step, number] of steps.entries()) {
    const entry = ENTRIES[step % ENTRIES.length]!
    if (step % 5 === 0) {
      table.delete(number)
      map.delete(number)
    } else {
      table.set(number * (step % 3), entry)
      map.set(number * (step % 3), entry)
    }
  }
  expect(new Map(table)).toEqual(map)
  expect(table.size).toBe(map.size)
  expect([...table.keys()].toSorted()).toEqual([...map.keys()].toSorted())
  const copy = new EntryTable()
  copy.set(3, at(1))
  copy.add(table)
  expect(new Map(copy)).toEqual(new Map([[3, at(1)], ...map]))
})
