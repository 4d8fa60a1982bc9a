import { expect, test } from 'vitest'
import { answerTo } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

test('problem: answers its status and its sentence', () => {
  expect(answerTo(new Problem('not-found', 'no document 7'))).toEqual({
    status: 404,
    sentence: 'El recurso solicitado no fue encontrado.',
  })
})

test('problem: a wait is in the header and in the sentence', () => {
  expect(answerTo(new Problem('too-many-attempts', '', { retryAfter: seconds(9.5) }))).toEqual({
    status: 429,
    sentence: 'Hubo demasiados intentos. Espere 10 segundos e intente de nuevo.',
    headers: { 'Retry-After': '10' },
  })
})
