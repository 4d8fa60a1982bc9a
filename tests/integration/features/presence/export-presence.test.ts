import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertPresenceProof } from '#server/db/presence/presence-proofs.ts'
import type { User } from '#server/domain/identity/user.ts'
import { canonicalList, type PresenceProof } from '#server/domain/signing/presence.ts'
import { after, minutes } from '#server/domain/time.ts'
import {
  exportPresence,
  listPresenceBehind,
  presenceFactsOf,
} from '#server/steps/signing/export-presence.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aKeyProof } from '#tests/support/office/presence-proofs.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

onEachDatabase('presence behind signatures', (current) => {
  /** A document of two versions, and two users of its office. */
  async function scene() {
    const { db } = current()
    const office = await storedOffice(db)
    const [ana, benito] = [await storedUser(db, office), await storedUser(db, office)]
    const document = aDocument(ana, { version: 2 })
    const versions = [aVersion(document), aVersion(document, 2)] as const
    await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      for (const version of versions) await insertVersion(trx, version)
    })
    /** Over the content of one version. */
    const prove = async (user: User, version: 1 | 2, at = MORNING): Promise<PresenceProof> => {
      const { sha256 } = versions[version - 1]!
      const list = canonicalList([{ documentId: document.id, sha256 }], user.id)
      const proof = {
        ...aKeyProof({}, at),
        ...{ officeId: office.id, userId: user.id, list },
      }
      await db.transaction((trx) => insertPresenceProof(trx, proof))
      return proof
    }
    const behind = async (...questions: Parameters<typeof listPresenceBehind>[2]) =>
      (await listPresenceBehind(db, document.id, questions)).map((proof) => proof?.id)
    const factsOf = (userId: User['id'] | null, version = 2) =>
      presenceFactsOf(db, { documentId: document.id, userId, version, at: MORNING })
    return { db, document, ana, benito, prove, behind, factsOf }
  }

  test('each signature has the proof of its user, in their order; a guest has none', async () => {
    const { ana, benito, prove, behind } = await scene()
    const signature = (userId: User['id'] | null) => ({ userId, version: 1, at: MORNING })
    expect(await behind(signature(ana.id))).toEqual([undefined])
    const [ofBenito, ofAna] = [await prove(benito, 1), await prove(ana, 1)]
    expect(await behind(signature(ana.id), signature(null), signature(benito.id))).toEqual([
      ...[ofAna.id, undefined, ofBenito.id],
    ])
    expect(await behind(signature(null))).toEqual([undefined])
    expect(await behind()).toEqual([])
  })

  test('a proof over a later content, or of another time, is behind no signature', async () => {
    const { ana, prove, behind } = await scene()
    const [early, later] = [await prove(ana, 1), await prove(ana, 2, after(MORNING, minutes(10)))]
    const at = after(MORNING, minutes(11))
    expect(
      await behind(
        { userId: ana.id, version: 2, at: MORNING },
        { userId: ana.id, version: 1, at },
        { userId: ana.id, version: 2, at },
        { userId: ana.id, version: 2, at: after(MORNING, minutes(7)) },
      ),
    ).toEqual([early.id, undefined, later.id, undefined])
  })

  test('the event of a signature says how its signer was present', async () => {
    const { ana, prove, factsOf } = await scene()
    expect(await factsOf(ana.id)).toEqual({ presence: 'not-asked', presenceProof: null })
    const { id } = await prove(ana, 1)
    expect(await factsOf(ana.id)).toEqual({ presence: 'webauthn', presenceProof: id })
    expect(await factsOf(null)).toEqual({ presence: 'efirma', presenceProof: null })
  })

  test('exported: the proofs of the document, up to a time', async () => {
    const { db, document, ana, benito, prove } = await scene()
    const later = after(MORNING, minutes(1))
    const [first, second] = [await prove(ana, 1), await prove(benito, 1, later)]
    const ids = async (until?: typeof later) =>
      (await exportPresence(db, document.id, until)).proofs.map(({ id }) => id)
    expect(await ids()).toEqual([first.id, second.id])
    expect(await ids(later)).toEqual([first.id, second.id])
    expect(await ids(MORNING)).toEqual([first.id])
  })
})
