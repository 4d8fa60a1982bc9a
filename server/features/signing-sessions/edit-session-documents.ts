import { replaceSessionDocuments } from '#server/db/signing-sessions/session-documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import type { System } from '#server/system.ts'
import { editDraft } from './edit-draft.ts'
import { MOST_DOCUMENTS, mustBeFreshDocuments, UNOPENED } from './session-data.ts'

export type AddSessionDocuments = {
  signingSessionId: SigningSessionId
  documentIds: readonly DocumentId[]
}

/**
 * Adds documents to a draft session; ignores those already in it.
 *
 * @throws {Problem} `too-many-documents`, `document-final`, and see `editDraft`
 */
export async function addSessionDocuments(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentIds }: AddSessionDocuments,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { documents }, by) => {
    const known = new Set(documents.map((document) => document.id))
    const added = [...new Set(documentIds)].filter((one) => !known.has(one))
    await mustBeFreshDocuments(trx, by, added)
    const all = [...documents, ...added.map((one) => ({ id: one, ...UNOPENED }))]
    if (all.length > MOST_DOCUMENTS) throw new Problem('too-many-documents', `${all.length}`)
    await replaceSessionDocuments(trx, id, all)
    return { documents: all.length }
  })
}

export type RemoveSessionDocument = {
  signingSessionId: SigningSessionId
  documentId: DocumentId
}

/**
 * Removes a document from a draft session; the last one cannot be removed.
 *
 * @returns what undoes it; null for a complete document, and for one that was not in the session
 * @throws {Problem} see `editDraft`
 */
export async function removeSessionDocument(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentId }: RemoveSessionDocument,
): Promise<RestoreSessionDocument | null> {
  let removed: RestoreSessionDocument | null = null
  await editDraft(system, actor, id, async (trx, { documents }, _, at) => {
    const from = documents.findIndex((document) => document.id === documentId)
    const gone = documents[from]
    if (!gone) return null
    const others = documents.toSpliced(from, 1)
    if (others.length === 0) throw new Problem('session-incomplete', `${id} would be empty`)
    await replaceSessionDocuments(trx, id, others)
    // A complete one takes signatures through `beginFurtherSession` alone.
    if (gone.completedVersion === null)
      removed = { signingSessionId: id, documentId, place: from + 1, doneAt: at }
    return { documents: others.length }
  })
  return removed
}

export type RestoreSessionDocument = RemoveSessionDocument & {
  /** Counts from 1. */
  place: number
  /** When it was removed. */
  doneAt: Instant
}

/**
 * Undoes that a document was removed from a draft session: it has its place again. `changed` if the session has no room.
 *
 * @throws {Problem} `document-final` if it was completed since, and see `editDraft`
 */
export async function restoreSessionDocument(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentId, place, doneAt }: RestoreSessionDocument,
): Promise<UndoOutcome> {
  let outcome: UndoOutcome = 'undone'
  await editDraft(system, actor, id, async (trx, { documents }, by, at) => {
    if (documents.some((document) => document.id === documentId)) return null
    if (!canUndo(doneAt, at)) outcome = 'too-late'
    else if (documents.length >= MOST_DOCUMENTS) outcome = 'changed'
    if (outcome !== 'undone') return null
    await mustBeFreshDocuments(trx, by, [documentId])
    const all = documents.toSpliced(place - 1, 0, { id: documentId, ...UNOPENED })
    await replaceSessionDocuments(trx, id, all)
    return { documents: all.length }
  })
  return outcome
}

export type MoveSessionDocument = RemoveSessionDocument & {
  /** `up`: signed one place earlier. */
  direction: 'up' | 'down'
}

/**
 * Moves a document of a draft session by one place; at the end of the list it stays.
 *
 * @throws {Problem} `not-found` for a document that is not in it, and see `editDraft`
 */
export async function moveSessionDocument(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentId, direction }: MoveSessionDocument,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, { documents }) => {
    const from = documents.findIndex((document) => document.id === documentId)
    const moved = documents[from]
    if (!moved) throw new Problem('not-found', `no document ${documentId} in ${id}`)
    const to = Math.min(Math.max(from + (direction === 'up' ? -1 : 1), 0), documents.length - 1)
    await replaceSessionDocuments(trx, id, documents.toSpliced(from, 1).toSpliced(to, 0, moved))
    return { moved: documentId, place: to + 1 }
  })
}
