import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Document } from '#server/domain/documents/document.ts'
import {
  carriesOwnSignatures,
  type DocumentVersion,
} from '#server/domain/documents/document-version.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/** A document that was signed here, and the signatures that its proof must cover. */
export type Archivable = {
  document: Document
  base: DocumentVersion
  office: Office
  /** The fields of the signatures made here. */
  fields: readonly string[]
}

/**
 * Undefined while signatures are missing, and where the office uses no timestamps.
 *
 * @throws {Problem} `not-found`
 */
export async function findArchivable(
  { db }: Pick<System, 'db'>,
  id: DocumentId,
): Promise<Archivable | undefined> {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const base = await findVersion(db, id, document.version)
  const office = await findOffice(db, document.officeId)
  if (!base || !office) throw new Error(`${id} has no version ${document.version}`)
  const isSigned = document.state === 'signed' && carriesOwnSignatures(base)
  if (!isSigned || office.timestampPolicy === 'none') return undefined
  const fields = (await listSignatures(db, id)).map(({ field }) => field)
  return { document, base, office, fields }
}
