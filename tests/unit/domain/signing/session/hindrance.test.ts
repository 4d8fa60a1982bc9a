import { expect, test } from 'vitest'
import { hindranceOfGuest, hindranceOfUser } from '#server/domain/signing/session/hindrance.ts'
import { after, before, days } from '#server/domain/time.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'

const now = MORNING
const earlier = before(now, days(1))
const later = after(now, days(1))
const notary = { roles: ['NOTARY'], capacity: 'titular' } as const

test.each([
  ['an account that is suspended', 'Comprador', { state: 'suspended' }, 'account-suspended'],
  ['one that was never activated', null, { state: 'invited' }, 'account-suspended'],
  ['a notary out of office', null, { ...notary, capacityTo: earlier }, 'capacity-not-in-force'],
  ['the same as a party', 'Comprador', { ...notary, capacityTo: earlier }, null],
  ['a notary in office', null, { ...notary, capacityTo: later }, null],
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
  expect(hindranceOfGuest(link, now)).toBe(hindrance)
})
