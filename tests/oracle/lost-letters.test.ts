import { expect, test } from 'vitest'
import { lostLetters } from './lost-letters.ts'

/** A letter as wide as half of its square: black on white, or in other shades of gray. */
const letter = (ink = 0, ground = 255, width = 8) => ({
  ...{ width, height: 8 },
  gray: Uint8Array.from({ length: width * 8 }, (_, at) => (at % width < 4 ? ink : ground)),
})

test('letters: legible on a yellow ground, in gray, and on gray', () => {
  expect(lostLetters(letter(), letter())).toBeUndefined()
  expect(lostLetters(letter(), letter(0, 226))).toBeUndefined()
  expect(lostLetters(letter(), letter(170))).toBeUndefined()
  expect(lostLetters(letter(), letter(0, 80))).toBeUndefined()
})

test('letters: lost below white, below black, and nearly', () => {
  expect(lostLetters(letter(), letter(255))).toBe('the letters at 0, 0 are lost')
  expect(lostLetters(letter(), letter(0, 0))).toContain('lost')
  expect(lostLetters(letter(), letter(185))).toContain('lost')
  expect(lostLetters(letter(), letter(0, 70))).toContain('lost')
})

test('letters: none where nothing was printed, and none on a page of another size', () => {
  expect(lostLetters(letter(255), letter(0))).toBeUndefined()
  expect(lostLetters(letter(), letter(0, 255, 9))).toBe('9 × 8 pixels, not 8 × 8')
})
