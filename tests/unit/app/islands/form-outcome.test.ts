import { expect, test } from 'vitest'
import { outcomeOf } from '#app/islands/form-outcome.ts'
import { errors } from '#app/messages/errors.ts'

const proxy = (status: number, body = '<main>nginx</main>') => ({ status, from: null, body })

test.each([
  ['no connection', undefined, errors.connection],
  ['a proxy that fails', proxy(500), errors.server],
  ['a proxy whose server does not answer', proxy(502, ''), errors.unexpected],
  ['a proxy that refuses', proxy(403), errors.forbidden],
  ['a proxy that finds nothing', proxy(404), errors.notFound],
  ['a proxy that asks for a password', proxy(401), errors.sessionExpired],
  ['a proxy that answers with a page', proxy(200), errors.unexpected],
  ['an error of ours', { ...proxy(500), from: 'page' }, errors.server],
])('form outcome: %s leaves the form and has its sentence', (_, answer, sentence) => {
  expect(outcomeOf(answer)).toEqual({ kind: 'unsent', sentence })
})

test.each([200, 401, 409, 422, 503])('form outcome: our page with status %i is shown', (status) => {
  const answer = { status, from: 'page', body: '<main>…</main>' }
  expect(outcomeOf(answer)).toEqual({ kind: 'page', html: '<main>…</main>' })
})

test('form outcome: our redirect leads to its address', () => {
  const answer = { status: 200, from: 'next', body: '/dashboard' }
  expect(outcomeOf(answer)).toEqual({ kind: 'next', address: '/dashboard' })
})
