import { expect, test } from 'vitest'
import { moved, stepOf } from '#app/routes/signing/new/choice-step.ts'

test.each([
  ['search', { kind: 'search' }],
  ['next', { kind: 'next' }],
  ['add-page', { kind: 'add-page' }],
  ['up:b', { kind: 'up', id: 'b' }],
  ['down:b', { kind: 'down', id: 'b' }],
  ['create', undefined],
  ['', undefined],
  [undefined, undefined],
])('button %s', (pressed, step) => {
  expect(stepOf(pressed)).toEqual(step)
})

test.each([
  ['up', 'b', 'bac'],
  ['down', 'b', 'acb'],
  ['up', 'a', 'abc'],
  ['down', 'c', 'abc'],
  ['up', 'x', 'abc'],
] as const)('document: %s of %s gives %s', (kind, id, expected) => {
  expect(moved(['a', 'b', 'c'], { kind, id }).join('')).toBe(expected)
})
