import { expect, test } from 'vitest'
import { findArchive } from '#server/db/documents/archives.ts'
import { findVersion, insertVersion } from '#server/db/documents/document-versions.ts'
import { findDocument, insertDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { awaitedArchive } from '#server/domain/documents/archive.ts'
import type { VersionCause } from '#server/domain/documents/document-version.ts'
import type { User } from '#server/domain/identity/user.ts'
import { withSignature } from '#server/domain/signing/session/ceremony.ts'
import { after, hours } from '#server/domain/time.ts'
import { releaseDocuments } from '#server/steps/signing/release-documents.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

type Scene = {
  /** Of the versions of the document. */
  causes: readonly VersionCause[]
  /** The version from before the session. */
  baseVersion: number | null
  /** How many of the two signers have signed. */
  signatures?: number
}

let folios = 0

onEachDatabase('document of a session that ends early', (current) => {
  const anAuthor = async () => storedUser(current().db, await storedOffice(current().db))

  /** An open session of two signers over one document. */
  async function opened(author: User, { causes, baseVersion, signatures = 0 }: Scene) {
    const { db } = current()
    folios += 1
    const folio = `2026-${String(folios).padStart(6, '0')}`
    const state = signatures === 2 ? 'signed' : 'signing'
    const document = aDocument(author, { folio, state, version: causes.length })
    const versions = causes.map((cause, at) => ({ ...aVersion(document, at + 1), cause }))
    const session = aSession(author)
    const signers = [aSigner(session, 1), aSigner(session, 2)]
    const held = { id: document.id, completedVersion: null, baseVersion, fields: [] }
    await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      for (const version of versions) await insertVersion(trx, version)
      await insertSigningSession(trx, session, [held])
      await insertSigners(trx, signers)
    })
    const unsigned = await findCeremony(db, session.id)
    if (!unsigned) throw new Error('the session was stored')
    const ceremony = signers
      .slice(0, signatures)
      .reduce((signed, { id }) => withSignature(signed, document.id, id), unsigned)
    return { document, versions, ceremony }
  }

  /** What the document is after the session was cancelled, and what else is stored then. */
  async function cancelled(author: User, scene: Scene) {
    const { db } = current()
    const { document, versions, ceremony } = await opened(author, scene)
    const [by, at] = [author.id, after(MORNING, hours(1))]
    await db.transaction((trx) =>
      releaseDocuments(trx, { ceremony, unfinished: 'cancelled', by, at }),
    )
    const next = await findDocument(db, document.id)
    const added = await findVersion(db, document.id, versions.length + 1)
    return { document, versions, next, added, archive: await findArchive(db, document.id), by, at }
  }

  test('without a signature: is a draft again, and its file the one from before the session', async () => {
    const author = await anAuthor()
    const plain = await cancelled(author, { causes: ['uploaded'], baseVersion: 1 })
    const since = { state: 'draft', stateSince: plain.at, stateBy: plain.by }
    expect(plain.next).toEqual({ ...plain.document, ...since })
    expect([plain.added, plain.archive]).toEqual([undefined, undefined])

    const scene = { causes: ['uploaded', 'prepared'], baseVersion: 1 } as const
    const { document, versions, next, added, archive, by, at } = await cancelled(author, scene)
    expect(next).toEqual({ ...document, ...since, version: 3 })
    const restored = { version: 3, cause: 'restored', by, signer: null, at }
    expect(added).toEqual({ ...versions[0], ...restored })
    expect(archive).toBeUndefined()
  })

  test('with some of its signatures: ends as its session does; with all of them it stays as it is', async () => {
    const author = await anAuthor()
    const causes = ['uploaded', 'prepared', 'signed'] as const
    const some = await cancelled(author, { causes, baseVersion: 1, signatures: 1 })
    const ended = { state: 'cancelled', stateSince: some.at, stateBy: some.by }
    expect(some.next).toEqual({ ...some.document, ...ended })
    expect([some.added, some.archive]).toEqual([undefined, undefined])

    const all = await cancelled(author, {
      causes: [...causes, 'signed'],
      baseVersion: 1,
      signatures: 2,
    })
    expect(all.next).toEqual(all.document)
    expect([all.added, all.archive]).toEqual([undefined, undefined])
  })

  test('that was signed before: stays signed, and waits for its proofs', async () => {
    const author = await anAuthor()
    const scenes: Scene[] = [
      { causes: ['uploaded', 'signed'], baseVersion: 2 },
      { causes: ['uploaded', 'signed', 'archived'], baseVersion: 3 },
      { causes: ['uploaded', 'signed', 'signed'], baseVersion: 2, signatures: 1 },
    ]
    for (const scene of scenes) {
      const { document, next, added, archive, by, at } = await cancelled(author, scene)
      const stays = { state: 'signed', stateSince: at, stateBy: by } as const
      expect(next).toEqual({ ...document, ...stays })
      expect(added).toBeUndefined()
      expect(archive).toEqual(awaitedArchive(document, at))
    }
  })

  test('whose version from before the session is not known: is left as it is', async () => {
    const scene = { causes: ['uploaded'], baseVersion: null } as const
    await expect(cancelled(await anAuthor(), scene)).rejects.toThrow('has no base version')
  })
})
