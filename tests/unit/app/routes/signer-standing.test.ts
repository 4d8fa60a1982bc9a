import { expect, test } from 'vitest'
import { standingOf } from '#app/routes/signing/sessions/signer-standing.ts'

const pending = { state: 'pending', isInTurn: true, since: '26 nov 2026, 03:14' } as const

test.each(['rejected', 'cancelled'] as const)(
  'signer: has signed a part when the session is %s after one of two documents',
  (session) => {
    expect(standingOf({ ...pending, hasBegun: true }, session)[1]).toBe('Firmó solo una parte')
    expect(standingOf({ ...pending, hasBegun: false }, session)[1]).toBe('No firmó')
  },
)

test('signer: is asked while the session is open', () => {
  expect(standingOf({ ...pending, hasBegun: true }, 'open')[1]).toBe('Es su turno')
  expect(standingOf({ ...pending, hasBegun: false, isInTurn: false }, 'open')[1]).toBe(
    'Espera a otros',
  )
})
