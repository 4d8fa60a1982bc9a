import { expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertPresenceProof } from '#server/db/presence/presence-proofs.ts'
import { canonicalList } from '#server/domain/signing/presence.ts'
import { after, minutes } from '#server/domain/time.ts'
import { findPresence, mustBePresent } from '#server/steps/signing/find-presence.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aKeyProof } from '#tests/support/office/presence-proofs.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

onEachDatabase('presence of a signer', (current) => {
  /** A user who proved their presence for one document. */
  async function scene() {
    const { db } = current()
    const office = await storedOffice(db)
    const [user, other] = [await storedUser(db, office), await storedUser(db, office)]
    const document = aDocument(user)
    const shown = { documentId: document.id, sha256: aVersion(document).sha256 }
    const list = canonicalList([shown], user.id)
    const proof = { ...aKeyProof(), officeId: office.id, userId: user.id, list }
    await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await insertPresenceProof(trx, proof)
    })
    return {
      db,
      user,
      other,
      shown,
      proof,
      changed: { ...shown, sha256: aVersion(document, 2).sha256 },
    }
  }
  const required = { presence: 'required' } as const
  const none = { presence: 'none' } as const

  test('required by the office: a proof of this user over the content on the screen', async () => {
    const { db, user, other, shown, proof, changed } = await scene()
    const facts = { presence: 'webauthn', presenceProof: proof.id }
    const find = (userId: typeof user.id, document = shown) =>
      findPresence(db, required, { userId }, [document], MORNING)
    expect(await find(user.id)).toEqual(facts)
    expect(await find(user.id, changed)).toBeUndefined()
    expect(await find(other.id)).toBeUndefined()
    const must = (userId: typeof user.id) =>
      mustBePresent(db, required, { userId }, [shown], MORNING)
    expect(await must(user.id)).toEqual(facts)
    await expect(must(other.id)).rejects.toMatchObject({ code: 'presence-needed' })
  })

  test('of several proofs: the newest counts', async () => {
    const { db, user, shown, proof } = await scene()
    const [older, newer] = [minutes(-2), minutes(1)].map((span) => ({
      ...{ ...aKeyProof(), officeId: proof.officeId, userId: user.id, list: proof.list },
      ...{ at: after(proof.at, span), expiresAt: after(proof.expiresAt, span) },
    }))
    if (!older || !newer) throw new Error('two were made')
    await db.transaction(async (trx) => {
      for (const one of [newer, older]) await insertPresenceProof(trx, one)
    })
    const now = after(MORNING, minutes(1))
    const found = await findPresence(db, required, { userId: user.id }, [shown], now)
    expect(found?.presenceProof).toBe(newer.id)
  })

  test('not required by the office: is not asked for', async () => {
    const { db, user, shown } = await scene()
    expect(await findPresence(db, none, { userId: user.id }, [shown], MORNING)).toEqual({
      ...{ presence: 'not-asked', presenceProof: null },
    })
  })

  test.each([required, none])(
    'a guest is present by their e.firma, presence %j',
    async (office) => {
      const { db, shown } = await scene()
      expect(await mustBePresent(db, office, { userId: null }, [shown], MORNING)).toEqual({
        ...{ presence: 'efirma', presenceProof: null },
      })
    },
  )
})
