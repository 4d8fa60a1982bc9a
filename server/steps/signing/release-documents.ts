import { awaitArchive } from '#server/db/documents/archives.ts'
import { type DocumentChange, replaceDocuments } from '#server/db/documents/document-changes.ts'
import { insertVersions, listNamedVersions } from '#server/db/documents/document-versions.ts'
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
import { listDocumentsIn } from './list-documents-in.ts'

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
  const released = current.map(({ document }) => {
    const base = bases.get(document.id)
    if (!base) throw new Error(`${document.id} has no base version`)
    return signedByOn(ceremony, document.id).size > 0
      ? unfinished(document, base, release)
      : restored(document, base, release)
  })
  if (!(await replaceDocuments(trx, released)))
    throw new Problem('session-state', 'a document moved on while its session ended')
  await insertVersions(
    trx,
    released.flatMap(({ version }) => version ?? []),
  )
  for (const { seen, next } of released)
    if (next.state === 'signed')
      await awaitArchive(trx, awaitedArchive({ ...seen, ...next }, release.at))
}

/** `version`: the one that the document gets, if any. */
type Released = DocumentChange & { version?: DocumentVersion }

/** A document signed before this session stays signed. */
const unfinished = (seen: Document, base: DocumentVersion, release: Release): Released => ({
  seen,
  next: nextOf(wasSigned(base) ? 'signed' : release.unfinished, seen.version, release),
})

function restored(seen: Document, base: DocumentVersion, release: Release): Released {
  const state = wasSigned(base) ? 'signed' : 'draft'
  if (seen.version === base.version) return { seen, next: nextOf(state, seen.version, release) }
  const version = seen.version + 1
  const { by, at } = release
  return {
    seen,
    next: nextOf(state, version, release),
    version: { ...base, version, cause: 'restored', by, signer: null, at },
  }
}

const nextOf = (
  state: DocumentState,
  version: number,
  { by, at }: Release,
): DocumentChange['next'] => ({ state, version, stateSince: at, stateBy: by })

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

const wasSigned = ({ cause }: DocumentVersion) => cause === 'signed' || cause === 'archived'
