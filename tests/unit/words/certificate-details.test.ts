import { expect, test } from 'vitest'
import { Day, daysBetween } from '#server/domain/day.ts'
import { sentenceOfChain, sentenceOfEnd } from '#server/words/certificate-details.ts'

test.each([
  ['in-force', 1461, 'Vence en 1,461 días.'],
  ['expiring', 2, 'Vence en 2 días.'],
  ['expiring', 1, 'Vence en un día.'],
  ['expiring', 0, 'Vence hoy.'],
  ['expired', 0, 'Venció hoy.'],
  ['expired', -1, 'Venció hace un día.'],
  ['expired', -30, 'Venció hace 30 días.'],
  ['not-yet-valid', 1500, 'Todavía no empieza su vigencia.'],
] as const)('end of a certificate: %s with %i days left', (standing, days, sentence) => {
  expect(sentenceOfEnd(standing, days)).toBe(sentence)
})

test.each([
  ['2026-11-20', '2026-11-20', 0],
  ['2026-11-20', '2026-11-21', 1],
  ['2027-03-01', '2027-02-28', -1],
  // A border city changes its clock in between.
  ['2026-10-31', '2026-11-02', 2],
] as const)('days between: from %s to %s are %i', (from, to, days) => {
  expect(daysBetween(Day.parse(from), Day.parse(to))).toBe(days)
})

test('chain: the sentence quotes the name in a way that the name cannot end', () => {
  expect(sentenceOfChain('no-issuer', 'AC” de confianza')).toBe(
    'No se reconoce a la autoridad que emitió el certificado “AC’ de confianza”.',
  )
})
