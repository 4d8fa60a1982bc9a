import { describe, expect, test } from 'vitest'
import {
  contextWords,
  flawOf,
  type PasswordRating,
  weaknessOf,
} from '#server/domain/identity/password.ts'

const words = contextWords(['Notaría 15 de Monterrey', 'Nuevo León', 'Ximena', 'Cañedo Íñiguez'])
const strong: PasswordRating = { score: 4, isTooCommon: false }

test.each([
  ['catorce letras', 'too-short'],
  ['quince letrasss', undefined],
  [`${'𝔘'.repeat(14)}`, 'too-short'],
  [`${'𝔘'.repeat(15)}`, undefined],
  ['ábaco '.repeat(21).slice(0, 128), undefined],
  ['x'.repeat(129), 'too-long'],
  ['cuatro palabras\u0000 juntas', 'control-character'],
  ['cuatro palabras\n juntas', 'control-character'],
  ['palabras \ud800 sin pareja', 'control-character'],
  ['todas minúsculas está bien', undefined],
])('%j by itself: %s', (password, flaw) => {
  expect(flawOf(password, [])).toBe(flaw)
})

test('is counted as it is hashed: composed or not, the same length', () => {
  expect(flawOf('ñññññññññññññññ'.normalize('NFD'), [])).toBeUndefined()
  expect(flawOf('ñññññññññññññ'.normalize('NFD'), [])).toBe('too-short')
})

describe('words of the office and of the person', () => {
  test('have no accents, and are there once', () => {
    expect(words).toEqual(expect.arrayContaining(['notaria', '15', 'monterrey', 'leon', 'canedo']))
    expect(new Set(words).size).toBe(words.length)
    expect(words).not.toContain('de')
  })

  test.each([
    'notaria15monterrey',
    'Notaría 15 de Monterrey',
    'XimenaCañedoÍñiguez',
    'rubrica.notaria.15',
    'nuevoleon-ximena-99',
  ])('%s is made of them', (password) => {
    expect(flawOf(password, words)).toBe('own-words')
  })

  test.each(['notaria15monterrey', 'NotariaGuadalajara7', 'san luis potosí 2026'])(
    '%s is made of those of any office',
    (password) => {
      expect(flawOf(password, contextWords([]))).toBe('own-words')
    },
  )

  test.each([
    'ximena pinta ventanas verdes',
    '15 lámparas y un abedul',
    'monterrey café lluvioso tren',
  ])('%s has more', (password) => {
    expect(flawOf(password, words)).toBeUndefined()
  })
})

test('an estimate below three is refused, with the warning that says why', () => {
  const judge = (rating: PasswordRating) => weaknessOf('quince caracteres', [], rating)
  expect(judge(strong)).toBeUndefined()
  expect(judge({ score: 3, isTooCommon: false })).toBeUndefined()
  expect(judge({ score: 2, isTooCommon: false })).toBe('guessable')
  expect(judge({ score: 2, isTooCommon: false, warning: 'dates' })).toBe('dates')
  expect(judge({ score: 1, isTooCommon: true, warning: 'keyboard' })).toBe('too-common')
})

test('a pattern is refused whatever the score', () => {
  const judge = (rating: PasswordRating) => weaknessOf('quince caracteres', [], rating)
  expect(judge({ score: 4, isTooCommon: false, pattern: 'repeated' })).toBe('repeated')
  expect(judge({ score: 2, isTooCommon: false, pattern: 'repeated' })).toBe('repeated')
  expect(judge({ score: 2, isTooCommon: false, pattern: 'repeated', warning: 'names' })).toBe(
    'names',
  )
})
