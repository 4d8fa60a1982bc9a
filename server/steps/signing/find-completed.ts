import { listNamedVersions } from '#server/db/documents/document-versions.ts'
import { findHoldingSessions } from '#server/db/signing-sessions/session-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId } from '#server/domain/ids.ts'

/** The last complete version of a document. */
export type CompletedVersion = {
  version: DocumentVersion
  /** Whether a session adds signatures to it. */
  isFurtherSigning: boolean
}

/** Undefined for a document that was never complete, or is rejected or cancelled. */
export async function findCompleted(
  db: Reader,
  document: Document,
): Promise<CompletedVersion | undefined> {
  return (await listCompleted(db, [document])).get(document.id)
}

/** The same for several documents; those without a complete version are absent. */
export async function listCompleted(
  db: Reader,
  documents: readonly Document[],
): Promise<Map<DocumentId, CompletedVersion>> {
  const signing = documents.filter(({ state }) => state === 'signing').map(({ id }) => id)
  const holdings = await findHoldingSessions(db, signing)
  const named = documents.flatMap(({ id, state, version }) => {
    if (state === 'signed') return { documentId: id, version }
    const base = holdings.get(id)?.document.baseVersion ?? null
    return base === null ? [] : { documentId: id, version: base }
  })
  const versions = await listNamedVersions(db, named)
  const states = new Map(documents.map(({ id, state }) => [id, state]))
  return new Map(
    versions.flatMap((version) => {
      const isFurtherSigning = states.get(version.documentId) !== 'signed'
      // A session that was opened on a draft has no complete version behind it.
      if (isFurtherSigning && !WAS_COMPLETE.includes(version.cause)) return []
      return [[version.documentId, { version, isFurtherSigning }] as const]
    }),
  )
}

const WAS_COMPLETE: readonly DocumentVersion['cause'][] = ['signed', 'archived']
