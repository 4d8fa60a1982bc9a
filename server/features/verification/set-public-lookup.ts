import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findDocument,
  replacePublicLookup,
  replacePublicPictures,
} from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { PublicLookup } from '#server/domain/documents/public-lookup.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { forgetVerification } from './read-verification.ts'

export const SetPublicLookup = z.object({
  documentId: DocumentId,
  state: PublicLookup.shape.state,
})
export type SetPublicLookup = z.infer<typeof SetPublicLookup>

/**
 * Lets the public look a document up, or not. Sheets that exist keep or lack the code that they were made with.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `someone-signing` while a signature, which may add the
 *   sheet, is being made
 */
export async function setPublicLookup(
  system: System,
  actor: Actor,
  { documentId, state }: SetPublicLookup,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findDocument(db, documentId)
  if (!found) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const action = 'document.set-public-lookup'
  const person = await authorizeOrRecord(db, actor, action, found, at, subject)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    const document = (await findDocument(trx, documentId)) ?? found
    const { publicLookup } = document
    if (publicLookup.state === state && publicLookup.by !== null) return
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    if (!(await replacePublicLookup(trx, document, { state, since: at, by: person.userId })))
      throw new Problem('wrong-state', `${documentId} was changed meanwhile`)
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.lookup-changed',
      subject,
      details: { publicLookup: state },
    })
    // Switching it on again must not show pages that no one decided to show.
    if (state === 'on' || document.publicPictures.state === 'off') return
    await replacePublicPictures(trx, document, { state: 'off', since: at, by: person.userId })
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.pictures-changed',
      subject,
      details: { publicPictures: 'off', reason: 'lookup-off' },
    })
  })
  forgetVerification(system, documentId)
}
