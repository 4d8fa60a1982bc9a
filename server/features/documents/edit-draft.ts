import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replaceDescription } from '#server/db/documents/documents.ts'
import { lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { lookupAfterChange } from '#server/domain/documents/decide-public-lookup.ts'
import { changedFacts, digestOfDescription } from '#server/domain/documents/description.ts'
import { type Document, DocumentKind, DocumentTitle } from '#server/domain/documents/document.ts'
import { hasNotarialParty, Instrument } from '#server/domain/documents/instrument.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId, Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { holdWrittenNumber } from '#server/steps/documents/numbers/hold-written-number.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const EditDraft = z.object({
  documentId: DocumentId,
  /** Of the description on the screen; see `digestOfDescription`. */
  seen: Sha256,
  title: DocumentTitle,
  kind: DocumentKind,
  /** Null if the document belongs to no instrument. */
  instrument: Instrument.refine(({ parties }) => !hasNotarialParty(parties)).nullable(),
})
export type EditDraft = z.infer<typeof EditDraft>

/**
 * Sets title, kind and instrument of a draft. The signature sheets print them, so they can be changed only without a
 * signature in progress.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `someone-signing`; `description-changed` if
 *   it is not the one on the screen any more; `number-used`, `number-explained`
 * @returns whether the number that was written stands outside of its sequence
 */
export async function editDraft(
  system: System,
  actor: Actor,
  { documentId, seen, ...written }: EditDraft,
): Promise<{ isOutside: boolean }> {
  const { db, clock } = system
  const at = clock.now()
  const { person, document: found } = await findForEdit(system, actor, documentId, at)
  return await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    await lockNumbers(trx, found.officeId)
    const document = (await findDocument(trx, documentId)) ?? found
    mustBeDraft(document)
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    const changed = changedFacts(document, written)
    if (Object.keys(changed).length === 0) return { isOutside: false }
    if (digestOfDescription(document) !== seen)
      throw new Problem('description-changed', `${documentId} is described otherwise by now`)
    const described = { ...document, ...written }
    const next = { ...described, publicLookup: lookupAfterChange(described, at) }
    if (!(await replaceDescription(trx, document, next)))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    const held = await holdWrittenNumber(trx, next, { at, by: person.userId })
    await writeTexts(trx, [documentId])
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'document.edited',
      subject: { kind: 'document', id: documentId },
      details: { ...changed, publicLookup: next.publicLookup.state },
    })
    return held
  })
}

/**
 * A draft that the actor may edit, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`
 */
export async function readEditable(
  system: System,
  actor: Actor,
  { documentId }: Pick<EditDraft, 'documentId'>,
): Promise<Document> {
  const at = system.clock.now()
  const { document } = await findForEdit(system, actor, documentId, at)
  mustBeDraft(document)
  return document
}

async function findForEdit({ db }: System, actor: Actor, id: DocumentId, at: Instant) {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const subject = { kind: 'document', id } as const
  const person = await authorizeOrRecord(db, actor, 'document.describe', document, at, subject)
  return { person, document }
}

/** @throws {Problem} `wrong-state` */
function mustBeDraft({ id, state }: Document): void {
  if (state !== 'draft') throw new Problem('wrong-state', `${id} is ${state}, no draft`)
}
