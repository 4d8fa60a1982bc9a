import { expect, test } from 'vitest'
import type { User } from '#server/domain/identity/user.ts'
import { signingCharacterOf } from '#server/domain/signing/signing-character.ts'
import { parseInstant } from '#server/domain/time.ts'

type Signer = Parameters<typeof signingCharacterOf>[0]

const from = parseInstant('2026-01-01T00:00:00Z')
const to = parseInstant('2026-12-31T23:59:59Z')
const now = parseInstant('2026-11-20T15:00:00Z')

function signer(roles: User['roles'], capacity: User['capacity']): Signer {
  return { roles, capacity, capacityFrom: from, capacityTo: to }
}

test.each<[string, Signer, string | undefined]>([
  ['a notary', signer(['NOTARY'], 'titular'), 'Notario titular'],
  ['a substitute', signer(['ADMIN', 'NOTARY'], 'suplente'), 'Notario suplente'],
  ['a notary without a capacity on record', signer(['NOTARY'], null), 'Notario'],
  ['a lawyer', signer(['LAWYER'], null), 'Abogado'],
  ['a user who does not sign', signer(['CLERK', 'ADMIN'], null), undefined],
])('%s', (_, person, character) => {
  expect(signingCharacterOf(person, now)).toBe(character)
})

test('outside the dates a notary signs only as the lawyer that they also are', () => {
  const late = parseInstant('2027-01-01T00:00:00Z')
  const early = parseInstant('2025-12-31T23:59:59Z')
  for (const at of [late, early]) {
    expect(signingCharacterOf(signer(['NOTARY'], 'titular'), at)).toBeUndefined()
    expect(signingCharacterOf(signer(['NOTARY', 'LAWYER'], 'titular'), at)).toBe('Abogado')
  }
  expect(signingCharacterOf(signer(['NOTARY'], 'titular'), from)).toBe('Notario titular')
  expect(signingCharacterOf(signer(['NOTARY'], 'titular'), to)).toBe('Notario titular')
})
