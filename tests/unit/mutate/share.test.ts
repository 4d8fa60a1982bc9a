import { expect, test } from 'vitest'
import type { Numbered } from '#tests/mutate/instrument.ts'
import { sharesOf } from '#tests/mutate/share.ts'

const mutantsOf = (files: Record<string, number>): Numbered[] =>
  Object.entries(files).flatMap(([file, count]) =>
    Array.from({ length: count }, (_, at) => ({ file, id: at + 1 }) as Numbered),
  )
const filesOf = (shares: Numbered[][]) =>
  shares.map((share) => [...new Set(share.map(({ file }) => file))])

test('shares: neighbouring files stay together, each file in one share', () => {
  const mutants = mutantsOf({ 'b/2': 5, 'a/1': 3, 'b/1': 4, 'a/2': 6 })
  expect(filesOf(sharesOf(mutants, 2))).toEqual([
    ['a/1', 'a/2'],
    ['b/1', 'b/2'],
  ])
  expect(filesOf(sharesOf(mutants, 1))).toEqual([['a/1', 'a/2', 'b/1', 'b/2']])
})

test('shares: no share is empty, and none is lost', () => {
  const mutants = mutantsOf({ 'a/1': 9, 'a/2': 1 })
  const shares = sharesOf(mutants, 4)
  expect(shares.every(({ length }) => length > 0)).toBe(true)
  expect(shares.flat()).toHaveLength(10)
})
