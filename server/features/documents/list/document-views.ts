import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  deleteDocumentView,
  insertDocumentView,
  listDocumentViews as listRows,
  lockDocumentViews,
} from '#server/db/documents/document-views.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { DocumentView, MOST_VIEWS, viewNameKey } from '#server/domain/documents/document-view.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentViewId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

type Needs = Pick<System, 'db' | 'clock'>

/** The caller's own views, by name. @throws {Problem} `not-signed-in`, `forbidden` */
export async function listDocumentViews(
  { db, clock }: Needs,
  actor: Actor,
): Promise<DocumentView[]> {
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  return await listRows(db, userId)
}

export const SaveDocumentView = DocumentView.pick({ name: true, query: true })
export type SaveDocumentView = z.infer<typeof SaveDocumentView>

/**
 * Keeps a view of the list of documents under a name.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `view-name-taken`, `too-many-views`
 */
export async function saveDocumentView(
  { db, clock }: Needs,
  actor: Actor,
  { name, query }: SaveDocumentView,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document-views.manage-own', own, at)
  const { userId } = person
  const id = DocumentViewId.parse(randomUUID())
  await db.transaction(async (trx) => {
    await lockDocumentViews(trx, userId)
    const views = await listRows(trx, userId)
    if (views.some((view) => viewNameKey(view.name) === viewNameKey(name)))
      throw new Problem('view-name-taken', `${userId} has a view of this name`)
    if (views.length >= MOST_VIEWS)
      throw new Problem('too-many-views', `${userId} has ${views.length} views`)
    await insertDocumentView(trx, { id, userId, name, query, createdAt: at })
    await recordChange(trx, person, at)
  })
}

export const RemoveDocumentView = z.object({ viewId: DocumentViewId })
export type RemoveDocumentView = z.infer<typeof RemoveDocumentView>

/**
 * Removes a view of the caller.
 *
 * @returns what undoes it; null if the caller has no such view
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function removeDocumentView(
  { db, clock }: Needs,
  actor: Actor,
  { viewId }: RemoveDocumentView,
): Promise<RestoreDocumentView | null> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document-views.manage-own', own, at)
  return await db.transaction(async (trx) => {
    const view = (await listRows(trx, person.userId)).find(({ id }) => id === viewId)
    if (!view || !(await deleteDocumentView(trx, person.userId, viewId))) return null
    await recordChange(trx, person, at)
    return { view, doneAt: at }
  })
}

export type RestoreDocumentView = {
  view: DocumentView
  /** When the caller removed it. */
  doneAt: Instant
}

/**
 * Undoes that the caller removed a view. `changed` if another one took its name or its room.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function restoreDocumentView(
  { db, clock }: Needs,
  actor: Actor,
  { view, doneAt }: RestoreDocumentView,
): Promise<UndoOutcome> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document-views.manage-own', own, at)
  const { userId } = person
  return await db.transaction(async (trx) => {
    await lockDocumentViews(trx, userId)
    const views = await listRows(trx, userId)
    if (views.some(({ id }) => id === view.id)) return 'undone'
    if (!canUndo(doneAt, at)) return 'too-late'
    const isNameTaken = views.some(({ name }) => viewNameKey(name) === viewNameKey(view.name))
    if (isNameTaken || views.length >= MOST_VIEWS) return 'changed'
    await insertDocumentView(trx, { ...view, userId })
    await recordChange(trx, person, at)
    return 'undone'
  })
}

/** Without the view: its name and search may name a client. */
const recordChange = (trx: Transaction, actor: Person, at: Instant) =>
  appendEvent(trx, {
    ...{ actor, at, action: 'user.changed' },
    subject: { kind: 'user', id: actor.userId },
    details: { changed: 'documentViews' },
  })
