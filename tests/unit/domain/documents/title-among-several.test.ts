import { expect, test } from 'vitest'
import { DocumentTitle } from '#server/domain/documents/document.ts'
import {
  isShortenedAmongSeveral,
  titleAmongSeveral,
} from '#server/domain/documents/title-among-several.ts'

test.each([
  ['Crédito Núñez', 'poder.pdf', 'Crédito Núñez · poder'],
  ['Crédito', 'ACTA 12.PDF', 'Crédito · ACTA 12'],
  ['Crédito', 'sin extensión', 'Crédito · sin extensión'],
  ['Crédito', '.pdf', 'Crédito'],
  [null, 'ACTA 12.PDF', 'ACTA 12'],
  [null, '.pdf', '.pdf'],
])('%s with %s is %s', (title, name, whole) => {
  expect(titleAmongSeveral(title, name)).toBe(whole)
})

test('however long both are, it is a title, with something of each', () => {
  const whole = titleAmongSeveral('t'.repeat(200), `${'ñ'.repeat(196)}.pdf`)
  expect(DocumentTitle.parse(whole)).toBe(whole)
  expect(whole).toMatch(/^t{50,}… · ñ{50,}…$/)
  expect(DocumentTitle.parse(titleAmongSeveral(null, 'ñ'.repeat(200)))).toBe('ñ'.repeat(200))
})

test.each([
  [null, 'poder.pdf', false],
  ['Crédito', `${'ñ'.repeat(120)}.pdf`, false],
  ['Crédito', `${'ñ'.repeat(121)}.pdf`, true],
  ['t'.repeat(180), 'poder Núñez de la Fuente.pdf', true],
  // The name itself may have been cut.
  [null, 'ñ'.repeat(200), true],
])('a title from %s and %s that lacks a part says so', (title, name, isShortened) => {
  expect(isShortenedAmongSeveral(title, name)).toBe(isShortened)
})
