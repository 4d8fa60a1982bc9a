import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  deleteChecks,
  insertChecks,
  listChecks,
  lockChecks,
} from '#server/db/documents/document-checks.ts'
import { findChecklist } from '#server/db/signing-sessions/act-checklists.ts'
import { findAct } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId, DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type DocumentCheck, MOST_LISTS } from '#server/domain/signing/act/checklist.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import type { System } from '#server/system.ts'
import { findCheckedDocument } from './find-checked-document.ts'

type OfAct = { documentId: DocumentId; actId: ActId }

/**
 * Gives the document a copy of the list of an act, as the list is now. A document has it once.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `checklist-empty`, `too-many-checklists`
 */
export async function addDocumentList(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId, actId }: OfAct,
): Promise<void> {
  const at = clock.now()
  const found = await findCheckedDocument({ db }, actor, 'document.check', documentId, at)
  const { person, subject } = found
  await db.transaction(async (trx) => {
    await lockChecks(trx, documentId)
    const act = await findAct(trx, person.officeId, actId)
    if (!act) throw new Problem('not-found', `no act ${actId}`)
    const acts = new Set((await listChecks(trx, documentId)).map((check) => check.actId))
    if (acts.has(actId)) return
    if (acts.size >= MOST_LISTS) throw new Problem('too-many-checklists', `${acts.size}`)
    const { items } = await findChecklist(trx, person.officeId, actId)
    if (items.length === 0) throw new Problem('checklist-empty', `${actId} has no items`)
    const own = { documentId, actId, actName: act.name, at, by: person.userId }
    await insertChecks(
      trx,
      items.map((item, index) => ({
        ...{ ...item, ...own, position: index + 1, state: 'open', note: null },
      })),
    )
    const details = { act: act.name, items: items.length }
    await appendEvent(trx, { actor, at, action: 'document.checklist-added', subject, details })
  })
}

/**
 * Removes a list that was added by mistake, while none of its items is done.
 *
 * @returns what undoes it; null if the document did not have the list
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `checklist-begun`
 */
export async function removeDocumentList(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId, actId }: OfAct,
): Promise<RestoreDocumentList | null> {
  const at = clock.now()
  const { subject } = await findCheckedDocument({ db }, actor, 'document.check', documentId, at)
  return await db.transaction(async (trx) => {
    await lockChecks(trx, documentId)
    const checks = (await listChecks(trx, documentId)).filter((check) => check.actId === actId)
    const [first] = checks
    if (!first) return null
    if (checks.some(({ state }) => state === 'done'))
      throw new Problem('checklist-begun', `${actId} of ${documentId} has items that are done`)
    await deleteChecks(trx, documentId, actId)
    const details = { act: first.actName }
    await appendEvent(trx, { actor, at, action: 'document.checklist-removed', subject, details })
    return { documentId, actId, checks, doneAt: at }
  })
}

export type RestoreDocumentList = OfAct & {
  /** The items of the list, as they were. */
  checks: readonly DocumentCheck[]
  /** When it was removed. */
  doneAt: Instant
}

/**
 * Undoes that a list was removed from a document: it has the items from before, whatever the list of the act is now.
 * `changed` if the document has no room for it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function restoreDocumentList(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId, actId, checks, doneAt }: RestoreDocumentList,
): Promise<UndoOutcome> {
  const at = clock.now()
  const { subject } = await findCheckedDocument({ db }, actor, 'document.check', documentId, at)
  return await db.transaction(async (trx) => {
    await lockChecks(trx, documentId)
    const acts = new Set((await listChecks(trx, documentId)).map((check) => check.actId))
    if (acts.has(actId)) return 'undone'
    if (!canUndo(doneAt, at)) return 'too-late'
    if (acts.size >= MOST_LISTS) return 'changed'
    await insertChecks(trx, checks)
    const details = { act: checks[0]?.actName ?? '', items: checks.length }
    await appendEvent(trx, { actor, at, action: 'document.checklist-added', subject, details })
    return 'undone'
  })
}
