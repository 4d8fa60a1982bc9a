import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replaceInstrument } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { lookupAfterChange } from '#server/domain/documents/decide-public-lookup.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { hasNotarialParty, Instrument } from '#server/domain/documents/instrument.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const DescribeInstrument = z.object({
  documentId: DocumentId,
  /** Null if the document belongs to no instrument. */
  instrument: Instrument.refine(({ parties }) => !hasNotarialParty(parties)).nullable(),
})
export type DescribeInstrument = z.infer<typeof DescribeInstrument>

/**
 * Sets the instrument of the protocol that a draft belongs to. The instrument is printed on the signature
 * sheets, so it can be set only on a draft without a signature in progress.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `someone-signing`
 */
export async function describeInstrument(
  system: System,
  actor: Actor,
  { documentId, instrument }: DescribeInstrument,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, document: found } = await findDescribable(system, actor, documentId, at)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    const document = (await findDocument(trx, documentId)) ?? found
    mustBeDraft(document)
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    if (isDeepStrictEqual(document.instrument, instrument)) return
    const described = { ...document, instrument }
    const next = { ...described, publicLookup: lookupAfterChange(described, at) }
    if (!(await replaceInstrument(trx, document, next)))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    await writeTexts(trx, [documentId])
    await appendDescribed(trx, { actor: person, at, document: next })
  })
}

/**
 * A draft that the actor may describe, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`
 */
export async function readDescribable(
  system: System,
  actor: Actor,
  { documentId }: Pick<DescribeInstrument, 'documentId'>,
): Promise<Document> {
  const at = system.clock.now()
  const { document } = await findDescribable(system, actor, documentId, at)
  mustBeDraft(document)
  return document
}

async function findDescribable({ db }: System, actor: Actor, id: DocumentId, at: Instant) {
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

/** The log cannot be rewritten, so it records only the number of parties, not their names. */
export async function appendDescribed(
  trx: Transaction,
  { actor, at, document }: { actor: Person; at: Instant; document: Document },
): Promise<void> {
  const { id, instrument, publicLookup } = document
  await appendEvent(trx, {
    actor,
    at,
    action: 'document.described',
    subject: { kind: 'document', id },
    details: {
      instrument: instrument?.number ?? null,
      volume: instrument?.volume ?? null,
      folios: instrument?.folios ?? null,
      date: instrument?.date ?? null,
      acts: instrument?.acts ?? null,
      parties: instrument?.parties.length ?? 0,
      publicLookup: publicLookup.state,
    },
  })
}
