import { expect, test } from 'vitest'
import { copyName, ofTheCopy } from '#server/words/copies.ts'

test.each([
  [1, 'Primer testimonio', 'Primera copia certificada'],
  [2, 'Segundo testimonio', 'Segunda copia certificada'],
  [3, 'Tercer testimonio', 'Tercera copia certificada'],
  [10, 'Décimo testimonio', 'Décima copia certificada'],
  [11, 'Undécimo testimonio', 'Undécima copia certificada'],
  [12, 'Duodécimo testimonio', 'Duodécima copia certificada'],
  [13, 'Decimotercer testimonio', 'Decimotercera copia certificada'],
  [17, 'Decimoséptimo testimonio', 'Decimoséptima copia certificada'],
  [20, 'Vigésimo testimonio', 'Vigésima copia certificada'],
  [21, 'Vigésimo primer testimonio', 'Vigésima primera copia certificada'],
  [93, 'Nonagésimo tercer testimonio', 'Nonagésima tercera copia certificada'],
  [100, 'Centésimo testimonio', 'Centésima copia certificada'],
  [111, 'Centésimo undécimo testimonio', 'Centésima undécima copia certificada'],
  [
    999,
    'Noningentésimo nonagésimo noveno testimonio',
    'Noningentésima nonagésima novena copia certificada',
  ],
  [1000, 'Testimonio número 1,000', 'Copia certificada número 1,000'],
])('copy %i: its ordinal in words agrees with the noun', (ordinal, testimony, copy) => {
  expect(copyName('testimony', ordinal)).toBe(testimony)
  expect(copyName('certified-copy', ordinal)).toBe(copy)
})

test('copy within a sentence: the article agrees with the noun', () => {
  expect(ofTheCopy('testimony', 2)).toBe('del segundo testimonio')
  expect(ofTheCopy('simple-copy', 2)).toBe('de la segunda copia simple')
  expect(ofTheCopy('certification', 1)).toBe('de la primera certificación')
})
