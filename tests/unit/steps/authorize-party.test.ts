import { describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { HeldDocument } from '#server/domain/signing/session/ceremony.ts'
import type { Turn } from '#server/domain/signing/session/turns.ts'
import { after, minutes } from '#server/domain/time.ts'
import {
  authorizeParties,
  authorizeParty,
  isSameIdentity,
  mustBeTheirTurn,
  type SigningIdentity,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import type { Signable } from '#server/steps/signing/find-signable.ts'
import { aGuest, anOffice, asPerson, aUser, MORNING } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

const OFFICE = anOffice()
const AUTHOR = aUser(OFFICE)
const SESSION = aSession(AUTHOR, { deadline: after(MORNING, minutes(60)) })
const SIGNERS = [aSigner(SESSION, 1), aSigner(SESSION, 2, { step: 2, name: 'Clara Vega' })] as const
/** No row decides about a guest: their link names the session and the signer. */
const NO_ROWS = {} as Database

function aSignable(held: Partial<HeldDocument> | null = {}): Signable {
  const document = aDocument(AUTHOR, { state: 'signing' })
  const version = aVersion(document)
  const sessionDocument = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
  return {
    ...{ document, version, arrivedSigned: false, office: OFFICE },
    held: held
      ? {
          ...{ session: SESSION, signers: SIGNERS, document: sessionDocument },
          ...{ signedBy: new Set(), ...held },
        }
      : undefined,
  }
}

const aGuestOf = (place: 0 | 1, changes: Parameters<typeof aGuest>[1] = {}) =>
  aGuest(OFFICE, { signingSessionId: SESSION.id, signerId: SIGNERS[place].id, ...changes })

describe('guest who is to sign', () => {
  const partyOf = (guest: ReturnType<typeof aGuest>, signable = aSignable()) =>
    authorizeParty(NO_ROWS, guest, signable, MORNING)

  test('signs as the signer of their link, in the character that was asked of them', async () => {
    expect(await partyOf(aGuestOf(1))).toMatchObject({
      ...{ userId: null, name: 'Clara Vega', rfc: SIGNERS[1].rfc, signer: SIGNERS[1] },
      ...{ character: { kind: 'declared', texts: ['Comprador'] }, turn: 'waiting' },
    })
    expect((await partyOf(aGuestOf(0))).turn).toBe('now')
    const signed = aSignable({ signedBy: new Set([SIGNERS[0].id]) })
    expect((await partyOf(aGuestOf(0), signed)).turn).toBe('signed')
    expect((await partyOf(aGuestOf(1), signed)).turn).toBe('now')
  })

  const other = aSession(AUTHOR)
  test.each([
    ['no session holds', aGuestOf(0), aSignable(null)],
    ['another session holds', aGuestOf(0, { signingSessionId: other.id }), aSignable()],
    ['they are no signer of', aGuest(OFFICE, { signingSessionId: SESSION.id }), aSignable()],
    ['is not theirs, before they agreed', aGuest(OFFICE, { consentedAt: null }), aSignable()],
  ])('does not learn that a document exists that %s', async (_, guest, signable) => {
    await expect(partyOf(guest, signable)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is asked to agree to the aviso de privacidad first', async () => {
    const refused = { code: 'consent-needed' }
    await expect(partyOf(aGuestOf(0, { consentedAt: null }))).rejects.toMatchObject(refused)
    const guest = aGuestOf(0, { consentedAt: null })
    const several = authorizeParties(NO_ROWS, guest, [aSignable(), aSignable()], MORNING)
    await expect(several).rejects.toMatchObject(refused)
  })
})

test('parties of no documents: none, without a look at any row', async () => {
  expect(await authorizeParties(NO_ROWS, asPerson(AUTHOR), [], MORNING)).toEqual([])
  expect(await authorizeParties(NO_ROWS, aGuestOf(0), [], MORNING)).toEqual([])
})

describe('turn of a signer', () => {
  const refusalOf = (turn: Turn, signable = aSignable(), now = MORNING) => {
    try {
      mustBeTheirTurn({ turn } as SigningParty, signable, now)
    } catch (error) {
      return (error as { code?: string }).code
    }
  }
  const late = after(MORNING, minutes(61))

  test.each([
    ['now', undefined],
    ['waiting', 'not-your-turn'],
    ['signed', 'already-signed'],
    ['gone', 'not-a-signer'],
  ] as const)('%s: %s', (turn, code) => {
    expect(refusalOf(turn)).toBe(code)
  })

  test('is over with the session, which is what a signer who waited learns', () => {
    expect(refusalOf('now', aSignable(), late)).toBe('session-overdue')
    expect(refusalOf('waiting', aSignable(), late)).toBe('session-overdue')
  })

  test('one who signed in time learns that, also when the session is over', () => {
    expect(refusalOf('signed', aSignable(), late)).toBe('already-signed')
  })

  test('a document without a session is signed at any time', () => {
    expect(refusalOf('now', aSignable(null), late)).toBeUndefined()
  })
})

test('identity: the same user as another signer of the session is another', () => {
  const [one, other] = ['one' as UserId, 'other' as UserId]
  const [first, second] = [SIGNERS[0].id, SIGNERS[1].id]
  const identity: SigningIdentity = { userId: one, signerId: first }
  expect(isSameIdentity(identity, { ...identity })).toBe(true)
  expect(isSameIdentity(identity, { userId: one, signerId: second })).toBe(false)
  expect(isSameIdentity(identity, { userId: other, signerId: first })).toBe(false)
})
