import { expect, test } from 'vitest'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import { sentenceOfCode, sentenceOfProblem } from '#server/words/problems.ts'

test('a damaged file is named where it is one of several', () => {
  const sentenceOf = (kind?: string) =>
    sentenceOfProblem(new Problem('stored-file-damaged', '', kind ? { kind } : {}))
  expect(sentenceOf('2026-000012')).toContain('guardado del documento 2026-000012 ya no es')
  expect(sentenceOf()).toContain('guardado de este documento ya no es')
})

test('a weak password is refused with its weakness', () => {
  expect(sentenceOfProblem(new Problem('weak-password', '', { kind: 'dates' }))).toContain(
    'Las fechas se adivinan pronto.',
  )
})

test.each([
  [0, 'un segundo'],
  [59.2, 'un minuto'],
  [45, '45 segundos'],
  [61, '2 minutos'],
])('a wait of %d seconds is said as %s', (count, said) => {
  const problem = new Problem('too-many-attempts', '', { retryAfter: seconds(count) })
  expect(sentenceOfProblem(problem)).toBe(
    `Hubo demasiados intentos. Espere ${said} e intente de nuevo.`,
  )
})

test('a code that is none of ours has no sentence', () => {
  expect(sentenceOfCode('not-found')).toBe('El recurso solicitado no fue encontrado.')
  expect(sentenceOfCode('toString')).toBeUndefined()
})

test('a crowd of others: the sentence does not speak of attempts of the reader', () => {
  const crowd = { kind: 'crowd' } as const
  const soon = new Problem('too-many-attempts', '', { ...crowd, retryAfter: seconds(5) })
  expect(sentenceOfProblem(soon)).toBe(
    'Hay demasiadas solicitudes a la vez. Espere 5 segundos e intente de nuevo.',
  )
  expect(sentenceOfProblem(new Problem('too-many-attempts', '', crowd))).toBe(
    'Hay demasiadas solicitudes a la vez. Espere unos minutos e intente de nuevo.',
  )
})

test('busy verification: the sentence says the same wait as the header', () => {
  const busy = new Problem('verification-busy', '', { retryAfter: seconds(30) })
  expect(sentenceOfProblem(busy)).toBe(
    'En este momento no se pueden verificar más archivos. No se guardó nada; espere 30 segundos e intente de nuevo.',
  )
  expect(sentenceOfProblem(new Problem('verification-busy', ''))).toContain('espere unos minutos e')
})

test.each([
  ['draft', /^Todavía no .* le faltan firmas.* cuando todos los firmantes hayan firmado/],
  ['signing', /^Todavía no .* le faltan firmas/],
  ['cancelled', /terminó sin reunir todas sus firmas/],
  ['rejected', /terminó sin reunir todas sus firmas/],
])('a copy of a document in the state %s: says why there is none', (kind, sentence) => {
  expect(sentenceOfProblem(new Problem('nothing-to-copy', '', { kind }))).toMatch(sentence)
})
