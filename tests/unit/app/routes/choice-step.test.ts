import { expect, test } from 'vitest'
import { moved, stepOf } from '#app/routes/signing/new/choice-step.ts'

test.each([
  ['search', { kind: 'search' }],
  ['next', { kind: 'next' }],
  ['add-page', { kind: 'add-page' }],
  ['up:b', { kind: 'up', id: 'b' }],
  ['down:b', { kind: 'down', id: 'b' }],
  ['act', { kind: 'act' }],
  ['add-user', { kind: 'add-user' }],
  ['add-external', { kind: 'add-external' }],
  ['add-parties', { kind: 'add-parties' }],
  ['signer-up:3', { kind: 'signer-up', id: '3' }],
  ['signer-remove:3', { kind: 'signer-remove', id: '3' }],
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
] as const)('document: %s of %s gives %s', (direction, id, expected) => {
  const ids = ['a', 'b', 'c']
  expect(moved(ids, ids.indexOf(id), direction).join('')).toBe(expected)
})
