import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findIssuedCopy,
  insertCopyCancellation,
  lockCopies,
} from '#server/db/documents/issued-copies.ts'
import type { IssuedCopy } from '#server/domain/documents/copies/issued-copy.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId, IssuedCopyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findCopied } from './find-copied.ts'

export const CancelCopy = z.object({
  documentId: DocumentId,
  copyId: IssuedCopyId,
  reason: Reason,
})
export type CancelCopy = z.infer<typeof CancelCopy>

/**
 * Cancels the record of a copy: it stays in the list with the reason, and its ordinal is not used again. Sent twice by one
 * user, the first counts.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` if it was cancelled before
 */
export async function cancelCopy(
  system: System,
  actor: Actor,
  { reason, ...named }: CancelCopy,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, copy } = await findCancellable(system, actor, named, at)
  const { id, documentId } = copy
  await db.transaction(async (trx) => {
    await lockCopies(trx, documentId)
    const cancelled = (await findIssuedCopy(trx, id))?.cancelled
    if (cancelled?.by === person.userId) return
    if (cancelled) throw new Problem('wrong-state', `copy ${id} was cancelled`)
    await insertCopyCancellation(trx, id, { at, by: person.userId, reason })
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.copy-cancelled',
      subject: { kind: 'document', id: documentId },
      details: { copy: id, kind: copy.kind, ordinal: copy.ordinal, reason },
    })
  })
}

/**
 * A copy whose record the actor may cancel, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` if it was cancelled before
 */
export async function readCancellableCopy(
  system: System,
  actor: Actor,
  named: Omit<CancelCopy, 'reason'>,
): Promise<{ document: Document; copy: IssuedCopy }> {
  const found = await findCancellable(system, actor, named, system.clock.now())
  if (found.copy.cancelled) throw new Problem('wrong-state', `copy ${named.copyId} was cancelled`)
  return found
}

async function findCancellable(
  system: System,
  actor: Actor,
  { documentId, copyId }: Omit<CancelCopy, 'reason'>,
  at: Instant,
) {
  const copy = await findIssuedCopy(system.db, copyId)
  if (copy?.documentId !== documentId)
    throw new Problem('not-found', `no copy ${copyId} of ${documentId}`)
  const action = 'document.cancel-copy'
  return { ...(await findCopied(system, actor, { documentId, action, at })), copy }
}
