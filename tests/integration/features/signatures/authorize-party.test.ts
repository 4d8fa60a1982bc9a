import { expect, test } from 'vitest'
import type { Role } from '#server/domain/identity/role.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import {
  authorizeParties,
  authorizeParty,
  mustBeSignatory,
} from '#server/steps/signing/authorize-party.ts'
import type { Signable } from '#server/steps/signing/find-signable.ts'
import { aGuest, asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('user who is to sign', (current) => {
  async function scene(roles: Role[] = ['NOTARY']) {
    const office = await storedOffice(current().db)
    const user = await storedUser(current().db, office, roles, { capacity: 'titular' })
    const other = await storedUser(current().db, office)
    const session = aSession(other)
    const signer = (place: number, changes: Parameters<typeof aSigner>[2] = {}) =>
      aSigner(session, place, { userId: user.id, step: place, ...changes })
    /** A document of that session, or of none. */
    const aSignable = (signers?: readonly Signer[], signed: readonly Signer[] = []): Signable => {
      const document = aDocument(other, { state: signers ? 'signing' : 'draft' })
      const held = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
      const signedBy = new Set(signed.map(({ id }) => id))
      return {
        ...{ document, version: aVersion(document), arrivedSigned: false, office },
        held: signers && { session, signers, document: held, signedBy },
      }
    }
    const person = asPerson(user)
    const partyOf = (signable: Signable) =>
      authorizeParty(current().db, person, signable, current().clock.now())
    return { office, person, other, signer, aSignable, partyOf }
  }

  test('without a session: signs now, as what they are in the office', async () => {
    const { person, aSignable, partyOf } = await scene()
    expect(await partyOf(aSignable())).toEqual({
      ...{ actor: person, userId: person.userId, name: 'Ximena Cañedo Íñiguez', rfc: person.rfc },
      ...{ character: { kind: 'notarial', capacity: 'titular' }, signer: null, turn: 'now' },
    })
  })

  test('in a session: signs as was asked, with the RFC that was asked, in their turn', async () => {
    const { other, signer, aSignable, partyOf } = await scene()
    const [before, own] = [signer(1, { userId: other.id }), signer(2, { rfc: 'VEGA920115LD4' })]
    const character = { kind: 'declared', texts: ['Comprador'] }
    const asked = { rfc: 'VEGA920115LD4', character, signer: own }
    expect(await partyOf(aSignable([before, own]))).toMatchObject({ ...asked, turn: 'waiting' })
    const later = aSignable([before, own], [before])
    expect(await partyOf(later)).toMatchObject({ ...asked, turn: 'now' })
    const done = aSignable([before, own], [before, own])
    expect(await partyOf(done)).toMatchObject({ turn: 'signed' })
  })

  test('named twice: signs as the one whose turn it is, or else as the last', async () => {
    const { signer, aSignable, partyOf } = await scene()
    const [first, second] = [signer(1), signer(2)]
    const signerOf = async (...signed: Signer[]) =>
      (await partyOf(aSignable([first, second], signed))).signer?.place
    expect(await signerOf()).toBe(1)
    expect(await signerOf(first)).toBe(2)
    expect(await signerOf(first, second)).toBe(2)
    const both = aSignable([signer(1, { step: 1 }), signer(2, { step: 1 })])
    expect((await partyOf(both)).signer?.place).toBe(1)
  })

  test('a signature that the session asks of others is refused', async () => {
    const { other, signer, aSignable, partyOf } = await scene()
    const others = aSignable([signer(1, { userId: other.id }), signer(2, { userId: null })])
    await expect(partyOf(others)).rejects.toMatchObject({ code: 'not-a-signer' })
  })

  test('a clerk signs what a session asks of them, and nothing else', async () => {
    const { signer, aSignable, partyOf } = await scene(['CLERK'])
    expect((await partyOf(aSignable([signer(1)]))).turn).toBe('now')
    const other = aSignable()
    await expect(partyOf(other)).rejects.toMatchObject({ code: 'forbidden' })
    const refusals = (await current().log()).filter(({ action }) => action === 'access.refused')
    expect(refusals).toMatchObject([
      {
        subject: { kind: 'document', id: other.document.id },
        details: { asked: 'document.sign', code: 'forbidden' },
      },
    ])
  })

  test('several documents: a party for each, in their order', async () => {
    const { person, signer, aSignable } = await scene()
    const signables = [aSignable(), aSignable([signer(1)]), aSignable([signer(3)])]
    const parties = await authorizeParties(
      ...([current().db, person, signables, current().clock.now()] as const),
    )
    expect(parties.map((party) => party.signer?.place)).toEqual([undefined, 1, 3])
  })

  test('only users and guests sign', async () => {
    const { office, person } = await scene()
    const guest = aGuest(office)
    expect(mustBeSignatory(person)).toBe(person)
    expect(mustBeSignatory(guest)).toBe(guest)
    expect(() => mustBeSignatory(stranger())).toThrow(
      expect.objectContaining({ code: 'not-signed-in' }),
    )
  })
})
