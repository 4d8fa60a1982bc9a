import { expect, test } from 'vitest'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#server/domain/identity/password.ts'
import { sentenceOfRating, sentenceOfWeakness, wordOfScore } from '#server/words/password.ts'

test('a weakness has a sentence with the limits of the domain', () => {
  expect(sentenceOfWeakness('too-short')).toContain(`al menos ${SHORTEST_PASSWORD} caracteres`)
  expect(sentenceOfWeakness('too-long')).toContain(`a lo más ${LONGEST_PASSWORD} caracteres`)
  expect(sentenceOfWeakness('too-common')).toContain('demasiado común')
})

test('a rating says the weakness, and the score where there is none', () => {
  expect(wordOfScore(3)).toBe('Buena')
  expect(sentenceOfRating({ score: 4, weakness: undefined })).toBe('Muy buena')
  expect(sentenceOfRating({ score: 1, weakness: 'own-words' })).toContain('palabras de la notaría')
})
