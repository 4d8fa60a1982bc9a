import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

const name = z
  .string()
  .trim()
  .min(3)
  .regex(/^[A-Z]/)

test('field with a sentence: each of its errors is that sentence, once', () => {
  const schema = withSentence(name, 'Escriba el nombre.')
  for (const value of ['', 'a', 7, null])
    expect(messagesOf(schema, value)).toEqual(['Escriba el nombre.'])
})

test('field whose sentence depends on the value: has the sentence of its value', () => {
  const schema = withSentence(name, (value) => `«${value}» no es un nombre.`)
  expect(messagesOf(schema, 'a')).toEqual(['«a» no es un nombre.'])
})

test('field without an error: has the value that its schema gives', () => {
  expect(withSentence(name, 'Escriba el nombre.').parse(' Ana ')).toBe('Ana')
})
