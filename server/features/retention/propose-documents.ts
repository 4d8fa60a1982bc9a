import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import {
  insertRetentionItem,
  listEndedDocuments,
  listEndedPostponements,
  listRetentionTerms,
  replaceRetentionItem,
  replaceRetentionPlace,
  type SetRetentionTerm,
} from '#server/db/care/retention.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { endedBefore, isRetainable, type RetentionItem } from '#server/domain/care/retention.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

const CHUNK = 200

type Proposing = Pick<System, 'db' | 'clock'>

/**
 * Proposes the documents whose term is over, each kind from where the last run stood, and those again that were put off until today.
 * Safe to run in two processes at once.
 */
export async function proposeDocuments(system: Proposing, stopping?: AbortSignal): Promise<void> {
  await endPostponements(system, stopping)
  for (const { id } of await listOffices(system.db))
    for (const term of (await listRetentionTerms(system.db, id)).values())
      if (term.years !== null)
        await proposeOfKind(system, id, { ...term, years: term.years }, stopping)
}

async function proposeOfKind(
  { db, clock }: Proposing,
  officeId: OfficeId,
  { kind, years }: SetRetentionTerm & { years: number },
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted) {
    const at = clock.now()
    const place = { officeId, kind }
    const until = endedBefore(years, at)
    const documents = await listEndedDocuments(db, place, { until, limit: CHUNK })
    const last = documents.at(-1)
    if (!last) return
    await db.transaction(async (trx) => {
      await replaceRetentionPlace(trx, place, last)
      for (const document of documents)
        if (isRetainable(document)) await propose(trx, { documentId: document.id, officeId }, at)
    })
    if (documents.length < CHUNK) return
  }
}

type Proposed = Pick<RetentionItem, 'documentId' | 'officeId'>

const asProposed = (proposed: Proposed, at: Instant): RetentionItem => ({
  ...{ documentId: proposed.documentId, officeId: proposed.officeId, state: 'proposed' },
  ...{ since: at, by: null, reason: null, until: null },
})

async function propose(trx: Transaction, proposed: Proposed, at: Instant): Promise<void> {
  if (await insertRetentionItem(trx, asProposed(proposed, at))) await logged(trx, proposed, at)
}

async function endPostponements({ db, clock }: Proposing, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const at = clock.now()
    const ended = await listEndedPostponements(db, at, CHUNK)
    for (const item of ended)
      await db.transaction(async (trx) => {
        if (await replaceRetentionItem(trx, item, asProposed(item, at))) await logged(trx, item, at)
      })
    if (ended.length < CHUNK) return
  }
}

const logged = (trx: Transaction, { documentId, officeId }: Proposed, at: Instant) =>
  appendSystemEvent(trx, {
    ...{ by: 'conservación', at, officeId, action: 'retention.proposed', result: 'success' },
    subject: { kind: 'document', id: documentId },
    details: {},
  })
