import { expect, test } from 'vitest'
import { answerTo, orErrorPage, refusalOf, refusalOnPage } from '#app/http/problems.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
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

const refused = (code: ProblemCode) => Promise.reject(new Problem(code, 'a test'))
const fault = new TypeError('a test')

test('refused form: gets code, sentence and status; what succeeds gets its value', async () => {
  expect(await refusalOf(Promise.resolve(7))).toEqual({ ok: true, value: 7 })
  expect(await refusalOf(refused('wrong-state'))).toEqual({
    ...{ ok: false, code: 'wrong-state' },
    sentence: expect.stringMatching(/\.$/),
    init: { status: 409 },
  })
  await expect(refusalOf(Promise.reject(fault))).rejects.toBe(fault)
})

test.each(['forbidden', 'not-found'] as const)(
  'form on the page of a thing, refused with %s: the error page answers',
  async (code) => {
    await expect(refusalOnPage(refused(code))).rejects.toMatchObject({ data: { code } })
    expect(await refusalOf(refused(code))).toMatchObject({ ok: false, code })
  },
)

test('form on the page of a thing, refused for another reason: its page shows it', async () => {
  expect(await refusalOnPage(refused('stale-version'))).toMatchObject({ ok: false })
})

test('page that is refused: is an error page with status and sentence; a fault is none', async () => {
  const { status, sentence } = answerTo(new Problem('not-found', ''))
  await expect(orErrorPage(refused('not-found'))).rejects.toMatchObject({
    data: { code: 'not-found', sentence },
    init: { status },
  })
  await expect(orErrorPage(Promise.reject(fault))).rejects.toBe(fault)
})
