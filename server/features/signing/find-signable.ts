import { findVersion } from '#server/db/document-versions.ts'
import { findDocument } from '#server/db/documents.ts'
import { findOffice } from '#server/db/offices.ts'
import { findUser } from '#server/db/users.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { mustBeAbleToBecome } from '#server/domain/documents/document-state.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { signingCharacterOf } from '#server/domain/signing/signing-character.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** A document with all that decides what a signature on it will look like. */
export type Signable = {
  document: Document
  /** The version that counts today. */
  version: DocumentVersion
  office: Office
  /** `Notario titular`; undefined when the person's capacity is not in force. */
  characterOf(person: Person, now: Instant): Promise<string | undefined>
}

/** Nothing is asked here about who may see it. @throws {Problem} `not-found` */
export async function findSignable(
  { db }: System,
  { documentId }: { documentId: DocumentId },
): Promise<Signable> {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const version = await findVersion(db, document.id, document.version)
  const office = await findOffice(db, document.officeId)
  if (!version || !office) throw new Error(`${documentId} has no version or no office`)
  return {
    document,
    version,
    office,
    async characterOf(person, now) {
      const user = await findUser(db, person.userId)
      if (!user) throw new Error(`${person.userId} has a session and no account`)
      return signingCharacterOf(user, now)
    },
  }
}

/**
 * @param version the one that stood on the screen
 * @throws {Problem} `wrong-state` when nobody may sign it any more; `stale-version` when it moved on
 */
export function mustBeAsSeen(document: Document, version: number): void {
  mustBeAbleToBecome(document, 'signed')
  if (document.version !== version)
    throw new Problem('stale-version', `${document.id} is at ${document.version}, not ${version}`)
}
