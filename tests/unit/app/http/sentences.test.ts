import { expect, test } from 'vitest'
import { z } from 'zod'
import { declaredCharacter, faultOfCharacter } from '#app/http/declared-character.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { LATIN_LETTERS, NOTARIAL_CLAIM } from '#app/messages/labels.ts'

const faultOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

test('field with a sentence: says it for every fault, once, and returns what is valid', () => {
  const schema = withSentence(z.coerce.number().int().max(9), 'Escriba un número.')
  expect(schema.parse('7')).toBe(7)
  for (const value of ['x', '1.5', '12.5', undefined])
    expect(faultOf(schema, value)).toEqual(['Escriba un número.'])
})

test('field with a sentence: it may name the value', () => {
  const schema = withSentence(z.literal('a'), (value) => `«${value}» no.`)
  expect(faultOf(schema, 'b')).toEqual(['«b» no.'])
})

test.each([
  ['Notario titular', NOTARIAL_CLAIM],
  ['Представитель', LATIN_LETTERS],
  ['x'.repeat(81), 'Escriba el carácter.'],
  ['', 'Escriba el carácter.'],
  [7, 'Escriba el carácter.'],
])('declared character %j: says why it is refused', (value, sentence) => {
  const schema = declaredCharacter(z.literal('Apoderado'), 'Escriba el carácter.')
  expect(faultOf(schema, value)).toEqual([sentence])
  expect(faultOfCharacter(value, 'Escriba el carácter.')).toBe(sentence)
  expect(schema.parse('Apoderado')).toBe('Apoderado')
})
