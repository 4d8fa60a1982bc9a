import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refused } from '#app/routes/api/refused.ts'
import { queryOf, validated } from '#app/routes/api/validate.ts'

const Body = z.strictObject({
  name: z.string().min(3).max(5),
  method: z.enum(['A', 'B']).optional(),
  inner: z.strictObject({ id: z.uuid() }).optional(),
})

function errorsFor(value: unknown) {
  try {
    validated(Body, value)
  } catch (error) {
    if (error instanceof Refused) return error.refusal.errors
    throw error
  }
}

test.each([
  [{}, { name: ['Falta.'] }],
  [{ name: null }, { name: ['No es del tipo esperado.'] }],
  [{ name: 'ab' }, { name: ['Lo mínimo es 3.'] }],
  [{ name: 'abcdef' }, { name: ['Lo máximo es 5.'] }],
  [{ name: 'abc', method: 'C' }, { method: ['Debe ser uno de: A, B.'] }],
  [
    { name: 'abc', x: 1, y: 2 },
    { x: ['No se conoce.'], y: ['No se conoce.'] },
  ],
  [{ name: 'abc', inner: { id: 'x' } }, { 'inner.id': ['No tiene la forma esperada.'] }],
  [
    { name: 'abc', inner: { role: 'ADMIN' } },
    { 'inner.id': ['Falta.'], 'inner.role': ['No se conoce.'] },
  ],
  ['text', { body: ['No es del tipo esperado.'] }],
])('%j is refused by field', (value, errors) => {
  expect(errorsFor(value)).toEqual(errors)
})

test('validation: a valid body is returned', () => {
  expect(validated(Body, { name: 'abc' })).toEqual({ name: 'abc' })
})

test('a parameter that comes twice is a list', () => {
  expect(queryOf(new URLSearchParams('a=1&b=2&a=3&__proto__=x'))).toEqual({
    a: ['1', '3'],
    b: '2',
    ['__proto__']: 'x',
  })
})
