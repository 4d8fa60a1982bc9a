import { expect, test } from 'vitest'
import { hindranceOfGuest, hindranceOfUser } from '#server/domain/signing/session/hindrance.ts'
import { requestedCharacterFrom } from '#server/domain/signing/session/requested-character.ts'
import { after, before, days } from '#server/domain/time.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'

const now = MORNING
const earlier = before(now, days(1))
const later = after(now, days(1))
const BUYER = requestedCharacterFrom('Comprador')
const OFFICE = requestedCharacterFrom(null)
const CLAIM = requestedCharacterFrom('Notario suplente')
const notary = { roles: ['NOTARY'], capacity: 'titular' } as const

test.each([
  ['an account that is suspended', BUYER, { state: 'suspended' }, 'account-suspended'],
  ['one that was never activated', OFFICE, { state: 'invited' }, 'account-suspended'],
  ['a notary out of office', OFFICE, { ...notary, capacityTo: earlier }, 'capacity-not-in-force'],
  ['the same as a party', BUYER, { ...notary, capacityTo: earlier }, null],
  ['a notary in office', OFFICE, { ...notary, capacityTo: later }, null],
  ['a notary without a capacity', OFFICE, { ...notary, capacity: null }, 'capacity-not-in-force'],
  ['a clerk without a character', OFFICE, { roles: ['CLERK'] }, 'character-missing'],
  ['a claim of an earlier release', CLAIM, { ...notary, capacityTo: later }, 'character-refused'],
] as const)('%s', (_, character, changes, hindrance) => {
  const account = aUser(anOffice(), { state: 'active', ...changes })
  expect(hindranceOfUser({ character }, account, now)).toBe(hindrance)
})

test.each([
  ['no link', undefined, 'no-link'],
  ['one that ran out', { state: 'opened', expiresAt: earlier }, 'link-over'],
  ['one that was taken back', { state: 'revoked', expiresAt: later }, 'link-over'],
  ['one that waits', { state: 'open', expiresAt: later }, null],
] as const)('external signer with %s', (_, link, hindrance) => {
  expect(hindranceOfGuest({ character: BUYER }, link, now)).toBe(hindrance)
})

test('external signer with a claim of an earlier release', () => {
  const link = { state: 'open', expiresAt: later } as const
  expect(hindranceOfGuest({ character: CLAIM }, link, now)).toBe('character-refused')
})
