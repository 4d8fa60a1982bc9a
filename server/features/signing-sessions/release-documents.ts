import { findVersion, insertVersion } from '#server/db/documents/document-versions.ts'
import { findDocument, replaceDocument } from '#server/db/documents/documents.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document, DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type Ceremony,
  isSignedByAll,
  type SessionDocument,
  signedByOn,
} from '#server/domain/signing/session/ceremony.ts'
import type { Instant } from '#server/domain/time.ts'

type Release = {
  ceremony: Ceremony
  /** What becomes of a document that bears some of its signatures, and not all. */
  unfinished: Extract<DocumentState, 'rejected' | 'cancelled'>
  by: UserId | null
  at: Instant
}

/**
 * Lets go of the documents of a session that ends before its time: whatever nobody signed is again what it
 * was before it was opened; whatever everybody signed, in it or before it, stays signed.
 */
export async function releaseDocuments(trx: Transaction, release: Release): Promise<void> {
  const { ceremony } = release
  for (const held of ceremony.documents) {
    if (isSignedByAll(ceremony, held.id)) continue
    const document = await findDocument(trx, held.id)
    if (!document) throw new Error(`${ceremony.session.id} holds ${held.id}, which is not there`)
    const base = await baseOf(trx, held)
    // What was signed before this session is a deed, whatever becomes of the session.
    const unfinished = wasSigned(base) ? 'signed' : release.unfinished
    if (signedByOn(ceremony, held.id).size > 0)
      await become(trx, document, { ...document, state: unfinished }, release)
    else await restore(trx, document, base, release)
  }
}

async function baseOf(trx: Transaction, { id, baseVersion }: SessionDocument) {
  const base = baseVersion === null ? undefined : await findVersion(trx, id, baseVersion)
  if (!base) throw new Error(`${id} has no version ${baseVersion}`)
  return base
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
}
