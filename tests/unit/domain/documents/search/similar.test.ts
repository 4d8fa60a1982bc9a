import { expect, test } from 'vitest'
import { isOneLetterOff, partsOf } from '#server/domain/documents/search/similar.ts'

const PAIRS = [
  ['perez', 'peres'],
  ['perez', 'peerez'],
  ['gonzalez', 'gonzlez'],
  ['nunez', 'unnez'],
  ['testamento', 'testamneto'],
  ['garcia', 'garciaa'],
  ['garcia', 'arcia'],
  ['niño', 'niñó'],
] as const

test.each(PAIRS)('%s and %s are one letter off, and have a part in common', (left, right) => {
  expect(isOneLetterOff(left, right)).toBe(true)
  expect(isOneLetterOff(right, left)).toBe(true)
  expect(new Set(partsOf(left)).isDisjointFrom(new Set(partsOf(right)))).toBe(false)
})

test.each([
  ['perez', 'perez'],
  ['perez', 'peress'],
  ['perez', 'torez'],
  ['casa', 'caza s'],
  ['abcd', 'badc'],
])('%s and %s are not', (left, right) => {
  expect(isOneLetterOff(left, right)).toBe(false)
})

test('every word that is one letter off has a part in common', () => {
  const word = 'testigo'
  for (let at = 0; at <= word.length; at += 1)
    for (const letter of 'aztx') {
      const others = [
        word.slice(0, at) + letter + word.slice(at),
        word.slice(0, at) + letter + word.slice(at + 1),
        word.slice(0, at) + word.slice(at + 1),
      ]
      for (const other of others.filter((one) => one !== word)) {
        expect([other, isOneLetterOff(word, other)]).toEqual([other, true])
        expect(new Set(partsOf(word)).isDisjointFrom(new Set(partsOf(other)))).toBe(false)
      }
    }
})
