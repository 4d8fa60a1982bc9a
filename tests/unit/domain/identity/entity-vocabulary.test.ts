import { expect, test } from 'vitest'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'

test.each([
  ['Ciudad de México', 'libro'],
  ['Estado de México', 'volumen'],
  ['México', 'volumen'],
  ['JALISCO', 'tomo'],
  ['Puebla ', 'tomo'],
  ['Nuevo León', 'libro'],
])('in %s the volumes of a protocol are called %s', (entity, word) => {
  expect(volumeWordOf(entity)).toBe(word)
})
