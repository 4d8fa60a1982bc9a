import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listChecks, lockChecks, replaceCheck } from '#server/db/documents/document-checks.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId, DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { DocumentCheck } from '#server/domain/signing/act/checklist.ts'
import type { System } from '#server/system.ts'
import { findCheckedDocument } from './find-checked-document.ts'

export type SetCheckState = {
  documentId: DocumentId
  actId: ActId
  position: number
  state: DocumentCheck['state']
  /** Kept with a done item; of an item that is open again there is none. */
  note: string | null
}

/**
 * Ticks an item of a document's list, or opens it again; each is an event. Repeated, it changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function setCheckState(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId, actId, position, state, note }: SetCheckState,
): Promise<void> {
  const at = clock.now()
  const found = await findCheckedDocument({ db }, actor, 'document.check', documentId, at)
  const { person, subject } = found
  await db.transaction(async (trx) => {
    await lockChecks(trx, documentId)
    const check = (await listChecks(trx, documentId)).find(
      (one) => one.actId === actId && one.position === position,
    )
    if (!check) throw new Problem('not-found', `no item ${position} of ${actId}`)
    if (check.state === state) return
    const next = { ...check, state, note: state === 'done' ? note : null, at, by: person.userId }
    await replaceCheck(trx, next)
    const action = state === 'done' ? 'document.item-checked' : 'document.item-unchecked'
    const details = { act: check.actName, item: check.text, note: next.note }
    await appendEvent(trx, { actor, at, action, subject, details })
  })
}
