import { awaitArchive } from '#server/db/documents/archives.ts'
import { insertVersion, listNamedVersions } from '#server/db/documents/document-versions.ts'
import { replaceDocument } from '#server/db/documents/documents.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { awaitedArchive } from '#server/domain/documents/archive.ts'
import type { Document, DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type Ceremony,
  isSignedByAll,
  type SessionDocument,
  signedByOn,
} from '#server/domain/signing/session/ceremony.ts'
import type { Instant } from '#server/domain/time.ts'
import { listDocumentsIn } from '#server/steps/signing/list-documents-in.ts'

type Release = {
  ceremony: Ceremony
  /** The state of a document with some of its signatures. */
  unfinished: Extract<DocumentState, 'rejected' | 'cancelled'>
  by: UserId | null
  at: Instant
}

/**
 * Releases the documents of a session that ends early: a document without signatures goes back to its state before the
 * session; a document with all its signatures, or signed before the session, stays signed.
 */
export async function releaseDocuments(trx: Transaction, release: Release): Promise<void> {
  const { ceremony } = release
  const open = ceremony.documents.filter(({ id }) => !isSignedByAll(ceremony, id))
  const current = await listDocumentsIn(trx, { ...ceremony, documents: open })
  const bases = await findBases(trx, open)
  // Compare-and-swap, one by one: each document must be unchanged.
  for (const { document } of current) {
    const base = bases.get(document.id)
    if (!base) throw new Error(`${document.id} has no base version`)
    // A document signed before this session stays signed.
    const unfinished = wasSigned(base) ? 'signed' : release.unfinished
    if (signedByOn(ceremony, document.id).size > 0)
      await become(trx, document, { ...document, state: unfinished }, release)
    else await restore(trx, document, base, release)
  }
}

/** The version of each document from before the session was opened. */
async function findBases(
  trx: Transaction,
  held: readonly SessionDocument[],
): Promise<Map<DocumentId, DocumentVersion>> {
  const named = held.flatMap(({ id, baseVersion }) =>
    baseVersion === null ? [] : { documentId: id, version: baseVersion },
  )
  const versions = await listNamedVersions(trx, named)
  return new Map(versions.map((version) => [version.documentId, version]))
}

async function restore(
  trx: Transaction,
  document: Document,
  base: DocumentVersion,
  release: Release,
): Promise<void> {
  const state = wasSigned(base) ? 'signed' : 'draft'
  if (document.version === base.version)
    return await become(trx, document, { ...document, state }, release)
  const version = document.version + 1
  await become(trx, document, { ...document, state, version }, release)
  const { by, at } = release
  await insertVersion(trx, { ...base, version, cause: 'restored', by, signer: null, at })
}

const wasSigned = ({ cause }: DocumentVersion) => cause === 'signed' || cause === 'archived'

async function become(
  trx: Transaction,
  seen: Document,
  next: Document,
  { by, at }: Release,
): Promise<void> {
  if (!(await replaceDocument(trx, seen, { ...next, stateSince: at, stateBy: by })))
    throw new Problem('session-state', `${seen.id} moved on while its session ended`)
  if (next.state === 'signed') await awaitArchive(trx, awaitedArchive(next, at))
}
