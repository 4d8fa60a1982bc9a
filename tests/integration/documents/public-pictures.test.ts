import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { replacePictureConsent } from '#server/db/documents/picture-consents.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { arePicturesPublic, findPictureConsents } from '#server/steps/documents/public-pictures.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import {
  aCertificate,
  aDocument,
  aVersion,
  someReport,
} from '#tests/support/pdf/signed-document.ts'

type Step = { cause: DocumentVersion['cause']; signer?: User; brought?: number }

const ON = { state: 'on', since: MORNING, by: null } as const
const OFF = { ...ON, state: 'off' } as const

/** A document with these versions, of which the public may see pictures. */
async function aDocumentOf(db: Database, author: User, steps: readonly Step[]) {
  const document = aDocument(author, {
    ...{ state: 'signed', version: steps.length, publicPictures: ON },
  })
  await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    for (const [index, { cause, signer, brought = 0 }] of steps.entries()) {
      const version = index + 1
      const row = { ...aVersion(document, version), cause, signaturesBrought: brought }
      await insertVersion(trx, row)
      if (!signer) continue
      const certificate = aCertificate(signer)
      await insertCertificate(trx, certificate)
      const signature = DocumentSignature.parse({
        ...{ id: randomUUID(), documentId: document.id, version, field: `Firma${version}` },
        ...{ certificateId: certificate.id, userId: signer.id, signerId: null },
        ...{ character: null, method: 'browser', level: 'B-B', signedAt: MORNING },
      })
      await insertSignature(trx, { ...signature, report: someReport })
    }
  })
  return document
}

onEachDatabase('pictures of pages for the public', (current) => {
  async function people() {
    const { db } = current()
    const office = await storedOffice(db)
    const [ana, benito, clara] = [
      await storedUser(db, office),
      await storedUser(db, office),
      await storedUser(db, office),
    ]
    const says = (state: 'given' | 'withdrawn') => (id: DocumentId, user: User) =>
      db.transaction((trx) =>
        replacePictureConsent(trx, {
          ...{ documentId: id, userId: user.id, signerId: null, state, since: MORNING },
        }),
      )
    return { db, ana, benito, clara, gives: says('given'), withdraws: says('withdrawn') }
  }

  test('each version asks those who signed it since its file began anew, and no later signer', async () => {
    const { db, ana, benito, clara } = await people()
    const document = await aDocumentOf(db, ana, [
      { cause: 'uploaded' },
      { cause: 'prepared' },
      { cause: 'signed', signer: ana },
      { cause: 'restored' },
      { cause: 'signed', signer: benito },
      { cause: 'signed', signer: clara },
      { cause: 'archived' },
    ])
    const asked = async (version: number) => {
      const { signatures, missing, canBeAsked } = await findPictureConsents(db, document, {
        version,
      })
      expect(missing).toEqual(signatures)
      return [signatures.map(({ userId }) => userId), canBeAsked]
    }
    expect(await asked(2)).toEqual([[], false])
    expect(await asked(3)).toEqual([[ana.id], true])
    expect(await asked(4)).toEqual([[], false])
    expect(await asked(5)).toEqual([[benito.id], true])
    expect(await asked(7)).toEqual([[benito.id, clara.id], true])
  })

  test('a file that arrived with signatures asks no one, and is never shown', async () => {
    const { db, ana, gives } = await people()
    const document = await aDocumentOf(db, ana, [
      { cause: 'uploaded', brought: 1 },
      { cause: 'signed', signer: ana },
    ])
    await gives(document.id, ana)
    expect(await findPictureConsents(db, document, { version: 2 })).toMatchObject({
      ...{ canBeAsked: false, missing: [] },
    })
    expect(await arePicturesPublic(db, document, { version: 2 })).toBe(false)
  })

  test('are shown while every party of the version consents, and not after a further signer', async () => {
    const { db, ana, benito, gives, withdraws } = await people()
    const document = await aDocumentOf(db, ana, [
      { cause: 'uploaded' },
      { cause: 'signed', signer: ana },
      { cause: 'signed', signer: benito },
    ])
    const shown = async () => [
      await arePicturesPublic(db, document, { version: 2 }),
      await arePicturesPublic(db, document, { version: 3 }),
    ]
    expect(await shown()).toEqual([false, false])
    await gives(document.id, ana)
    expect(await shown()).toEqual([true, false])
    await gives(document.id, benito)
    expect(await shown()).toEqual([true, true])
    await withdraws(document.id, ana)
    expect(await shown()).toEqual([false, false])
  })

  test.each([
    ['the public does not find the document', { publicLookup: OFF }],
    ['the office shows none', { publicPictures: OFF }],
  ])('are not shown when %s, although all consent', async (_, changes) => {
    const { db, ana, gives } = await people()
    const document = await aDocumentOf(db, ana, [
      { cause: 'uploaded' },
      { cause: 'signed', signer: ana },
    ])
    await gives(document.id, ana)
    const shown = arePicturesPublic(db, { ...document, ...changes }, { version: 2 })
    expect(await shown).toBe(false)
  })
})
