import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'

test('coded fact: what was taken out of the name of a field is marked, in other texts it is a space', () => {
  const text = 'Pre\u0007cio'
  expect(changeFact('field-filled', { field: text, value: text }).parameters).toEqual({
    field: 'Pre·cio',
    value: 'Pre cio',
  })
})

test('coded fact: a text has no end of letters, and a number is left as it is', () => {
  const value = 'x'.repeat(3000)
  expect(changeFact('field-filled', { field: 'a', value }).parameters).toEqual({
    field: 'a',
    value: `${'x'.repeat(1999)}…`,
  })
  expect(changeFact('page-content-replaced', { page: 7 }).parameters).toEqual({ page: 7 })
})
