import { inChunks } from '#server/db/in-chunks.ts'
import { dialectOf } from '#server/db/lock.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentId, OfficeId } from '#server/domain/ids.ts'
import { DeadlineState } from '#server/domain/obligations/deadline.ts'
import type { Instant } from '#server/domain/time.ts'

/** To be called in the transaction in which a document gets its last signature: a job sets its deadlines. */
export async function markDeadlinesDue(
  trx: Transaction,
  { documentId, at }: { documentId: DocumentId; at: Instant },
): Promise<void> {
  await trx
    .insertInto('deadlines_due')
    .values({ document_id: documentId, signed_at: at })
    .onConflict((conflict) => conflict.column('document_id').doNothing())
    .execute()
}

export async function areDeadlinesDue(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('deadlines_due').select('document_id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Takes some of the marked documents, each with the time of its last signature. The caller must set their deadlines in this transaction. */
export async function takeDeadlinesDue(
  trx: Transaction,
  limit: number,
): Promise<Map<DocumentId, Instant>> {
  const due = trx
    .selectFrom('deadlines_due')
    .select('document_id')
    .orderBy('document_id')
    .limit(limit)
  const free = dialectOf(trx) === 'postgres' ? due.forUpdate().skipLocked() : due
  const rows = await trx
    .deleteFrom('deadlines_due')
    .where('document_id', 'in', free)
    .returningAll()
    .execute()
  return new Map(
    rows.map(({ document_id, signed_at }) => [DocumentId.parse(document_id), signed_at]),
  )
}

/** Where the job stands that counts an office's deadlines again. */
export type Recount = {
  officeId: OfficeId
  /** Of the last change; another change starts it anew. */
  since: Instant
  state: DeadlineState
  behind: string
  /** How many ended on another day, were withdrawn or came back so far. */
  moved: number
}

/** To be called in the transaction that changes the terms or the non-working days of an office. */
export async function markRecount(
  trx: Transaction,
  { officeId, at }: { officeId: OfficeId; at: Instant },
): Promise<void> {
  const begin = { since: at, state: 'open', behind: '', moved: 0 }
  await trx
    .insertInto('deadline_recounts')
    .values({ office_id: officeId, ...begin })
    .onConflict((conflict) => conflict.column('office_id').doUpdateSet(begin))
    .execute()
}

export async function listRecounts(db: Reader): Promise<Recount[]> {
  const rows = await db.selectFrom('deadline_recounts').selectAll().execute()
  return rows.map(({ office_id, state, ...row }) => ({
    ...row,
    officeId: OfficeId.parse(office_id),
    state: DeadlineState.parse(state),
  }))
}

/** Compare-and-swap on the place: false if another process or change was there first. */
export async function replaceRecount(
  trx: Transaction,
  seen: Recount,
  next: Pick<Recount, 'state' | 'behind' | 'moved'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deadline_recounts')
    .set(next)
    .where('office_id', '=', seen.officeId)
    .where('since', '=', seen.since)
    .where('state', '=', seen.state)
    .where('behind', '=', seen.behind)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Compare-and-swap: false if it was ended or started anew. */
export async function endRecount(trx: Transaction, seen: Recount): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('deadline_recounts')
    .where('office_id', '=', seen.officeId)
    .where('since', '=', seen.since)
    .where('state', '=', seen.state)
    .where('behind', '=', seen.behind)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** The names of the acts of the signing sessions that each document was in. */
export async function listSessionActs(
  db: Reader,
  ids: Iterable<DocumentId>,
): Promise<Map<DocumentId, string[]>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('session_documents')
      .innerJoin('signing_sessions', 'signing_sessions.id', 'session_documents.signing_session_id')
      .select(['session_documents.document_id', 'signing_sessions.act'])
      .where('session_documents.document_id', 'in', chunk)
      .execute(),
  )
  const acts = new Map<DocumentId, string[]>()
  for (const { document_id, act } of rows) {
    const id = DocumentId.parse(document_id)
    if (act !== null) acts.set(id, [...(acts.get(id) ?? []), String(JSON.parse(act).name)])
  }
  return acts
}
