import { expect, test } from 'vitest'
import { insertVersions } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Document, DocumentState } from '#server/domain/documents/document.ts'
import type { VersionCause } from '#server/domain/documents/document-version.ts'
import type { User } from '#server/domain/identity/user.ts'
import { findCompleted, listCompleted } from '#server/steps/signing/find-completed.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

let folios = 1

/** @param base the version at which an open session took the document */
async function aFile(
  { db }: TestSystem,
  author: User,
  state: DocumentState,
  causes: readonly VersionCause[],
  base?: number,
): Promise<Document> {
  const folio = `2026-${String(folios++).padStart(6, '0')}`
  const document = aDocument(author, { state, folio, version: causes.length })
  const held = { id: document.id, completedVersion: null, baseVersion: base ?? null, fields: [] }
  await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    const versions = causes.map((cause, index) => ({ ...aVersion(document, index + 1), cause }))
    await insertVersions(trx, versions)
    if (base !== undefined) await insertSigningSession(trx, aSession(author), [held])
  })
  return document
}

onEachSystem('complete version of a document', (current) => {
  const anAuthor = async () => await storedUser(current().db, await storedOffice(current().db))

  test('is the last one of a signed document', async () => {
    const file = await aFile(current(), await anAuthor(), 'signed', [
      'uploaded',
      'signed',
      'archived',
    ])
    expect(await findCompleted(current().db, file)).toMatchObject({
      version: { documentId: file.id, version: 3 },
      isFurtherSigning: false,
    })
  })

  test.each(['signed', 'archived'] as const)(
    'stays while a session adds signatures to one that was %s',
    async (cause) => {
      const causes = ['uploaded', cause, 'prepared', 'signed'] as const
      const file = await aFile(current(), await anAuthor(), 'signing', causes, 2)
      expect(await findCompleted(current().db, file)).toMatchObject({
        version: { documentId: file.id, version: 2 },
        isFurtherSigning: true,
      })
    },
  )

  test('is not there before the first signatures are complete', async () => {
    const author = await anAuthor()
    const drafts = [
      await aFile(current(), author, 'draft', ['uploaded']),
      await aFile(current(), author, 'signing', ['uploaded', 'prepared', 'signed'], 1),
      await aFile(current(), author, 'signing', ['uploaded', 'restored', 'prepared'], 2),
      await aFile(current(), author, 'rejected', ['uploaded', 'signed']),
      await aFile(current(), author, 'cancelled', ['uploaded', 'signed']),
    ]
    expect((await listCompleted(current().db, drafts)).size).toBe(0)
  })

  test('of several documents: each has its own', async () => {
    const author = await anAuthor()
    const files = [
      await aFile(current(), author, 'signed', ['uploaded', 'signed']),
      await aFile(current(), author, 'draft', ['uploaded']),
      await aFile(current(), author, 'signing', ['uploaded', 'signed', 'prepared'], 2),
    ]
    const found = await listCompleted(current().db, files)
    const seen = files.map(({ id }) => {
      const one = found.get(id)
      return one && [one.version.documentId === id, one.version.version, one.isFurtherSigning]
    })
    expect(seen).toEqual([[true, 2, false], undefined, [true, 2, true]])
  })
})
