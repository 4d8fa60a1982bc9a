import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refused } from '#app/routes/api/refused.ts'
import { queryOf, validated } from '#app/routes/api/validate.ts'
import { fastest } from '#tests/support/fastest.ts'

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

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 1]))

test.each([
  ['unknown names', { name: 'abc', ...named(10_000) }],
  ['a name that is very long', { name: 'abc', ['x'.repeat(60_000)]: 1 }],
  ['values that do not fit', { list: Array.from({ length: 10_000 }, () => 0) }],
  ['one value with much that does not fit', { keys: named(10_000) }],
])('validation: an answer about %s is no longer than a page', (_, value) => {
  const schema = z.strictObject({
    name: z.string().optional(),
    list: z.array(z.string()).optional(),
    keys: z.record(z.string(), z.string()).optional(),
  })
  const length = JSON.stringify(refusalBy(schema, value)).length
  expect(length).toBeGreaterThan(50)
  expect(length).toBeLessThan(4_096)
})

function refusalBy(schema: z.ZodType, value: unknown) {
  try {
    validated(schema, value)
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

/**
 * For eight times as many names: objects of so many are read more slowly, a name up to four times. Comparing each with each
 * would add a factor of eight.
 */
const MOST_TIMES = 48

test('validation: unknown names cost constant time each', async () => {
  const [few, many] = [named(4_000), named(32_000)]
  const short = await fastest(() => errorsFor(few))
  const long = await fastest(() => errorsFor(many))
  expect(long / short).toBeLessThan(MOST_TIMES)
})

test('validation: parameters cost constant time each', async () => {
  const queryWith = (count: number) =>
    new URLSearchParams(Object.entries(named(count)).map(([name]) => [name, '']))
  const [few, many] = [queryWith(5_000), queryWith(40_000)]
  const short = await fastest(() => queryOf(few))
  const long = await fastest(() => queryOf(many))
  expect(long / short).toBeLessThan(MOST_TIMES)
})
