import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { withdrawJudgement } from '#server/db/documents/upload-judgements.ts'
import { wasSentToSign } from '#server/db/signing-sessions/session-documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { cancellingAction } from '#server/domain/documents/uploaded-by-mistake.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const CancelDocument = z.object({ documentId: DocumentId, reason: Reason })
export type CancelDocument = z.infer<typeof CancelDocument>

/**
 * Cancels a draft, for example one uploaded by mistake: it can no longer be signed, and nothing is deleted. Users may
 * cancel their own uploads that were not sent to be signed. A document in a signing session is cancelled with its session.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `someone-signing`
 */
export async function cancelDocument(
  system: System,
  actor: Actor,
  { documentId, reason }: CancelDocument,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findCancellable(system, actor, documentId, at)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    const document = await findDocument(trx, documentId)
    if (document?.state !== 'draft') throw new Problem('wrong-state', `${documentId} moved on`)
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    const next = {
      ...document,
      state: 'cancelled',
      stateSince: at,
      stateBy: person.userId,
    } as const
    if (!(await replaceDocument(trx, document, next)))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    await withdrawJudgement(trx, documentId)
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.cancelled',
      subject,
      details: { reason },
    })
  })
}

/**
 * A draft that the actor may cancel, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`
 */
export async function readCancellable(
  system: System,
  actor: Actor,
  { documentId }: Pick<CancelDocument, 'documentId'>,
): Promise<Document> {
  return (await findCancellable(system, actor, documentId, system.clock.now())).document
}

async function findCancellable({ db }: System, actor: Actor, id: DocumentId, at: Instant) {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const subject = { kind: 'document', id } as const
  const userId = actor.kind === 'person' ? actor.userId : undefined
  const wasSent = { wasSentToSign: await wasSentToSign(db, id) }
  const action = cancellingAction(document, userId, wasSent)
  const person = await authorizeOrRecord(db, actor, action, document, at, subject)
  if (document.state !== 'draft')
    throw new Problem('wrong-state', `${id} is ${document.state}, no draft`)
  return { person, document, subject }
}
