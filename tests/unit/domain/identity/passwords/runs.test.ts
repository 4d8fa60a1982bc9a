import { expect, test } from 'vitest'
import {
  keyboardLineAt,
  keyboardWalkAt,
  repetitionAt,
  sequenceAt,
} from '#server/domain/identity/passwords/runs.ts'

test.each([
  ['aaaab', 0, 4],
  ['aaaab', 2, 2],
  ['aaaab', 4, 1],
  ['abcd', 0, 1],
])('repetition in %s from %d on: %d', (text, start, length) => {
  expect(repetitionAt(text, start)).toBe(length)
})

test.each([
  ['abcdx', 0, 4],
  ['9876x', 0, 4],
  ['aabc', 0, 1],
  ['abca', 0, 3],
  ['acegi', 0, 1],
])('sequence in %s from %d on: %d', (text, start, length) => {
  expect(sequenceAt(text, start)).toBe(length)
})

test.each([
  ['qwertyuiopasdfg', 0, 10],
  ['qwertyuiopasdfg', 10, 5],
  ['poiuy', 0, 5],
  ['1qaz2wsx', 0, 4],
  ['7890q', 0, 4],
  ['qazx', 0, 3],
  ['notaria', 0, 1],
  ['año', 0, 1],
])('keyboard line in %s from %d on: %d', (text, start, length) => {
  expect(keyboardLineAt(text, start)).toBe(length)
})

test.each([
  ['1q2w3e4r5t', 0, 10],
  ['qawsedrf', 0, 8],
  ['desde', 0, 5],
  ['tejado', 0, 1],
])('walk on the keyboard in %s from %d on: %d', (text, start, length) => {
  expect(keyboardWalkAt(text, start)).toBe(length)
})
