import { replaceSessionDocuments } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { editDraft } from './edit-draft.ts'
import { MOST_DOCUMENTS, mustBeOwnDocuments } from './session-data.ts'

export type AddSessionDocuments = {
  signingSessionId: SigningSessionId
  documentIds: readonly DocumentId[]
}

/**
 * Adds documents to a draft session; ignores those already in it.
 *
 * @throws {Problem} `too-many-documents`, and see `editDraft`
 */
export async function addSessionDocuments(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentIds }: AddSessionDocuments,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { documents }, by) => {
    await mustBeOwnDocuments(trx, by, documentIds)
    const ids = [...new Set([...documents.map((document) => document.id), ...documentIds])]
    if (ids.length > MOST_DOCUMENTS) throw new Problem('too-many-documents', `${ids.length}`)
    await replaceSessionDocuments(trx, id, ids.map(withoutBase))
    return { documents: ids.length }
  })
}

export type RemoveSessionDocument = {
  signingSessionId: SigningSessionId
  documentId: DocumentId
}

/**
 * Removes a document from a draft session; the last one cannot be removed.
 *
 * @throws {Problem} see `editDraft`
 */
export async function removeSessionDocument(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentId }: RemoveSessionDocument,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { documents }) => {
    const ids = documents.map((document) => document.id).filter((one) => one !== documentId)
    if (ids.length === 0) throw new Problem('session-incomplete', `${id} would be empty`)
    await replaceSessionDocuments(trx, id, ids.map(withoutBase))
    return { documents: ids.length }
  })
}

const withoutBase = (id: DocumentId) => ({ id, baseVersion: null, fields: [] })
