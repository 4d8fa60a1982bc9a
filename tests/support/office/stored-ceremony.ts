import type { Database } from '#server/db/database.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

export type StoredCeremony = {
  office: Office
  /** Who made the session. */
  author: User
  /** Who signs as a user. */
  user: User
  document: Document
  /** The user, an external signer with an address, and one without. */
  signers: readonly [Signer, Signer, Signer]
  ceremony: Ceremony
}

/** A session of one document and three signers as rows, without files. */
export async function storedCeremony(
  db: Database,
  changes: {
    office?: Parameters<typeof storedOffice>[1]
    session?: Partial<Record<keyof SigningSession, unknown>>
    /** Of all signers, and of each. */
    signers?: readonly Partial<Record<keyof Signer, unknown>>[]
  } = {},
): Promise<StoredCeremony> {
  const office = await storedOffice(db, changes.office)
  const author = await storedUser(db, office)
  const user = await storedUser(db, office, ['CLERK'], { firstName: 'Iván', lastName: 'Méndez' })
  const document = aDocument(author, { state: 'signing', title: 'Poder de Ana' })
  const session = aSession(author, changes.session)
  const [first, second, third] = changes.signers ?? []
  const signers = [
    aSigner(session, 1, { userId: user.id, name: 'Iván Méndez', ...first }),
    aSigner(session, 2, { name: 'Benito Núñez', email: 'benito@ejemplo.example', ...second }),
    aSigner(session, 3, { name: 'Clara Vega', ...third }),
  ] as const
  const held = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
  await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    await insertVersion(trx, aVersion(document))
    await insertSigningSession(trx, session, [held])
    await insertSigners(trx, signers)
  })
  const ceremony = await findCeremony(db, session.id)
  if (!ceremony) throw new Error('the session was stored')
  return { office, author, user, document, signers, ceremony }
}
