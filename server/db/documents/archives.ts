import { sql } from 'kysely'
import { inTurns } from '#server/db/in-turns.ts'
import type { ArchiveRow } from '#server/db/tables/proofs.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Archive, OVERDUE_AHEAD, OVERDUE_PART } from '#server/domain/documents/archive.ts'
import type { DocumentId, OfficeId } from '#server/domain/ids.ts'
import { after, type Instant } from '#server/domain/time.ts'

/** The state of a document's long-term proof; undefined before it is complete. */
export async function findArchive(db: Reader, id: DocumentId): Promise<Archive | undefined> {
  const row = await db
    .selectFrom('archives')
    .selectAll()
    .where('document_id', '=', id)
    .executeTakeFirst()
  return row && toArchive(row)
}

/** Inserts or replaces the state. */
export async function replaceArchive(trx: Transaction, archive: Archive): Promise<void> {
  const { document_id, ...values } = toRow(archive)
  await trx
    .insertInto('archives')
    .values({ document_id, ...values })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(values))
    .execute()
}

/** Lets a document wait for its long-term proof; changes nothing if this version waits or has one. */
export async function awaitArchive(trx: Transaction, awaited: Archive): Promise<void> {
  const { document_id, holds_until, ...values } = toRow(awaited)
  await trx
    .insertInto('archives')
    .values({ document_id, holds_until, ...values })
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        // The timestamp of an earlier version holds on.
        .doUpdateSet(values)
        .where('archives.version', '<>', awaited.version),
    )
    .execute()
}

/** Lets the jobs leave this document alone until then; changes nothing if it is not due any more. */
export async function putOffArchive(
  trx: Transaction,
  id: DocumentId,
  now: Instant,
  until: Instant,
): Promise<void> {
  await trx
    .updateTable('archives')
    .set({ due_at: until })
    .where('document_id', '=', id)
    .where('due_at', '<=', now)
    .execute()
}

type Due = { now: Instant; limit: number }

/**
 * Documents that wait for their long-term proof, in offices that use timestamps: those of the offices in turns, of each the longest
 * waiting first. Some may have gone into a signing session meanwhile.
 */
export const listUnarchived = (db: Reader, due: Due) => listDue(db, 'waiting', due)

/** Documents whose long-term proof is due for renewal: those of the offices in turns, of each the most urgent first. */
export const listArchivesToRenew = (db: Reader, due: Due) => listDue(db, 'kept', due)

/* Office by office, because offices are few: one without timestamps may have any number of documents that wait. */
async function listDue(
  db: Reader,
  state: 'waiting' | 'kept',
  { now, limit }: Due,
): Promise<DocumentId[]> {
  const due: Pick<ArchiveRow, 'document_id' | 'due_at'>[][] = []
  for (const { id } of await listStampingOffices(db)) {
    const rows = await db
      .selectFrom('archives')
      .select(['document_id', 'due_at'])
      .where('office_id', '=', id)
      .where('state', '=', state)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit)
      .execute()
    if (rows.length > 0) due.push(rows)
  }
  const longest = due.toSorted(([a], [b]) => (a?.due_at ?? 0) - (b?.due_at ?? 0))
  return inTurns(longest, limit).map((row) => row.document_id as DocumentId)
}

/** The documents of an office whose proof ends before it was renewed; `first` is the first end. */
export type OverdueProofs = { count: number; first: Instant }

/**
 * The overdue renewals of an office: of signed documents, also while a further signature is collected. Undefined without any.
 *
 * Attempts move `due_at`, so that only the timestamp itself tells how late it is.
 */
export async function findOverdueProofs(
  db: Reader,
  officeId: OfficeId,
  now: Instant,
): Promise<OverdueProofs | undefined> {
  const { count, first } = await db
    .selectFrom('archives as archive')
    .innerJoin('documents as document', 'document.id', 'archive.document_id')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min('archive.holds_until').as('first'),
    ])
    .where('archive.office_id', '=', officeId)
    .where('archive.holds_until', '<=', after(now, OVERDUE_AHEAD))
    .where(
      sql<number>`(archive.holds_until - ${now}) * ${sql.lit(OVERDUE_PART)}`,
      '<=',
      sql<number>`archive.holds_until - archive.state_since`,
    )
    .where('document.state', 'in', ['signed', 'signing'])
    .executeTakeFirstOrThrow()
  return first === null ? undefined : { count: Number(count), first }
}

const listStampingOffices = (db: Reader) =>
  db
    .selectFrom('offices as office')
    .select('office.id')
    .where('office.timestamp_policy', '<>', 'none')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('service_providers as provider')
          .select('provider.id')
          .whereRef('provider.office_id', '=', 'office.id')
          .where('provider.kind', '=', 'timestamp')
          .where('provider.state', '=', 'active'),
      ),
    )
    .execute()

function toArchive(row: ArchiveRow): Archive {
  return Archive.parse({
    ...row,
    documentId: row.document_id,
    officeId: row.office_id,
    stateSince: row.state_since,
    dueAt: row.due_at,
    holdsUntil: row.holds_until,
  })
}

function toRow(archive: Archive): ArchiveRow {
  return {
    document_id: archive.documentId,
    office_id: archive.officeId,
    version: archive.version,
    state: archive.state,
    state_since: archive.stateSince,
    attempts: archive.attempts,
    due_at: archive.dueAt,
    holds_until: archive.holdsUntil,
    fault: archive.fault,
  }
}
