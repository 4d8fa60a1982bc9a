import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import { actIn } from '#server/domain/signing/act/act.ts'
import { defaultActs } from '#server/domain/signing/act/default-acts.ts'
import { after, minutes } from '#server/domain/time.ts'
import { isOutsideProtocol } from '#server/steps/signing/is-outside-protocol.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import {
  aCertificate,
  aDocument,
  aVersion,
  someReport,
} from '#tests/support/pdf/signed-document.ts'

/** A session with the document: for an act that leaves the protocol to be signed, or for none. */
type Past = { leaves: boolean; state?: 'draft' | 'cancelled' | 'completed'; isSigned?: boolean }

onEachDatabase('document beside the protocol', (current) => {
  /** @param past oldest first */
  async function aDocumentWith(past: readonly Past[]) {
    const { db } = current()
    const office = await storedOffice(db)
    const author = await storedUser(db, office)
    const [act] = defaultActs(office.id)
    if (!act) throw new Error('no act')
    const document = aDocument(author, { version: past.length + 1 })
    await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await insertVersion(trx, aVersion(document))
      for (const [index, { leaves, state = 'completed', isSigned = false }] of past.entries()) {
        const session = aSession(author, {
          ...{ state, createdAt: after(MORNING, minutes(index)) },
          act: leaves ? actIn({ ...act, electronic: null }, office.entity) : null,
        })
        const baseVersion = state === 'draft' ? null : 1
        const held = { id: document.id, completedVersion: null, baseVersion, fields: [] }
        const signer = aSigner(session, 1)
        await insertSigningSession(trx, session, [held])
        await insertSigners(trx, [signer])
        if (!isSigned) continue
        const certificate = aCertificate(author)
        await insertCertificate(trx, certificate)
        const version = index + 2
        await insertVersion(trx, { ...aVersion(document, version), by: null, signer: signer.id })
        const signature = DocumentSignature.parse({
          ...{ id: randomUUID(), documentId: document.id, version, field: `Firma${version}` },
          ...{ certificateId: certificate.id, userId: null, signerId: signer.id },
          ...{ character: null, method: 'browser', level: 'B-B', signedAt: MORNING },
        })
        await insertSignature(trx, { ...signature, report: someReport })
      }
    })
    return (isComplete: boolean) => isOutsideProtocol(db, document.id, isComplete)
  }

  test.each<[string, Past[], boolean]>([
    ['no session', [], false],
    ['a session for such an act', [{ leaves: true }], true],
    ['such a session, and a later one for no act', [{ leaves: true }, { leaves: false }], false],
    ['a session for no act, and a later such one', [{ leaves: false }, { leaves: true }], true],
    ['a draft of such a session', [{ leaves: false }, { leaves: true, state: 'draft' }], false],
  ])('not complete, with %s: the last session that was opened decides', async (_, past, is) => {
    expect(await (await aDocumentWith(past))(false)).toBe(is)
  })

  test.each<[string, Past[], boolean]>([
    [
      'such a session and another',
      [
        { leaves: true, isSigned: true },
        { leaves: false, isSigned: true },
      ],
      true,
    ],
    [
      'such a session, and another was opened',
      [{ leaves: true, isSigned: true }, { leaves: false }],
      true,
    ],
    [
      'a session for no act, and such a one was opened',
      [{ leaves: false, isSigned: true }, { leaves: true }],
      false,
    ],
    [
      'such a session, which was cancelled',
      [{ leaves: true, isSigned: true, state: 'cancelled' }],
      true,
    ],
  ])('complete, signed in %s: all that were signed in decide', async (_, past, is) => {
    expect(await (await aDocumentWith(past))(true)).toBe(is)
  })
})
