import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replacePublicPictures } from '#server/db/documents/documents.ts'
import { lockLeases } from '#server/db/documents/prepared-signatures.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { PublicPictures } from '#server/domain/documents/public-pictures.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { findPictureConsents } from '#server/steps/documents/public-pictures.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { forgetVerification } from './read-verification.ts'

export const SetPublicPictures = z.object({
  documentId: DocumentId,
  state: PublicPictures.shape.state,
})
export type SetPublicPictures = z.infer<typeof SetPublicPictures>

/**
 * Shows pictures of the pages on the public page of a complete document, or hides them. Every party who signed it must
 * consent. The same state again changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `pictures-not-allowed`
 */
export async function setPublicPictures(
  system: System,
  actor: Actor,
  { documentId, state }: SetPublicPictures,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findDocument(db, documentId)
  if (!found) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const action = 'document.set-public-pictures'
  const person = await authorizeOrRecord(db, actor, action, found, at, subject)
  await db.transaction(async (trx) => {
    // A withdrawal takes the same lock.
    await lockLeases(trx, documentId)
    const document = (await findDocument(trx, documentId)) ?? found
    if (document.publicPictures.state === state) return
    if (state === 'on') await mustBeAllowed(trx, document)
    const next = { state, since: at, by: person.userId }
    if (!(await replacePublicPictures(trx, document, next)))
      throw new Problem('wrong-state', `${documentId} was changed meanwhile`)
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.pictures-changed',
      subject,
      details: { publicPictures: state, reason: null },
    })
  })
  forgetVerification(system, documentId)
}

/** @throws {Problem} `pictures-not-allowed` */
async function mustBeAllowed(trx: Transaction, document: Document): Promise<void> {
  const { missing, canBeAsked } = await findPictureConsents(trx, document, document)
  const { id, state, publicLookup } = document
  const isReady = state === 'signed' && publicLookup.state === 'on' && canBeAsked
  if (!isReady || missing.length > 0)
    throw new Problem('pictures-not-allowed', `${id}: ${missing.length} parties did not consent`)
}
