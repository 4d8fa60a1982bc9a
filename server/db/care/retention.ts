import { toDocument } from '#server/db/documents/documents.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { RetentionItemRow, RetentionTermRow } from '#server/db/tables/care.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  type RetainedKind,
  RetentionItem,
  type RetentionState,
  RetentionTerm,
} from '#server/domain/care/retention.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { type DocumentId, type OfficeId, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import { EPOCH, type Instant } from '#server/domain/time.ts'

export type SetRetentionTerm = RetentionTerm & { version: number; at: Instant; by: UserId }

/** The newest term of each kind that has one. */
export async function listRetentionTerms(
  db: Reader,
  officeId: OfficeId,
): Promise<Map<RetainedKind, SetRetentionTerm>> {
  const rows = await db
    .selectFrom('retention_terms')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('kind')
    .orderBy('version')
    .execute()
  return new Map(rows.map(toTerm).map((term) => [term.kind, term]))
}

/** Sets the term of a kind. Its documents are looked through from the first one again. */
export async function insertRetentionTerm(
  trx: Transaction,
  officeId: OfficeId,
  { term, at, by }: { term: RetentionTerm; at: Instant; by: UserId },
): Promise<void> {
  const { kind, years, blockDays, source } = term
  await lockUntilCommit(trx, `retention:${officeId}`)
  const before = (await listRetentionTerms(trx, officeId)).get(kind)
  await trx
    .insertInto('retention_terms')
    .values({
      ...{ office_id: officeId, kind, version: (before?.version ?? 0) + 1, years },
      ...{ block_days: blockDays, source, at, by_user: by },
    })
    .execute()
  await trx
    .deleteFrom('retention_places')
    .where('office_id', '=', officeId)
    .where('kind', '=', kind)
    .execute()
}

type Place = { officeId: OfficeId; kind: RetainedKind }

/** The next documents of the kind that got their state before `until`, behind those that were looked at. */
export async function listEndedDocuments(
  db: Reader,
  { officeId, kind }: Place,
  { until, limit }: { until: Instant; limit: number },
): Promise<Document[]> {
  const place = await db
    .selectFrom('retention_places')
    .select(['at', 'id'])
    .where('office_id', '=', officeId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  const behind = { at: place?.at ?? EPOCH, id: place?.id ?? '' }
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('kind', '=', kind)
    .where('state_since', '<', until)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('state_since', 'id'), '>', tuple(behind.at, behind.id)),
    )
    .orderBy('state_since')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

/** Notes that the documents up to this one were looked at. */
export async function replaceRetentionPlace(
  trx: Transaction,
  { officeId, kind }: Place,
  { stateSince: at, id }: Pick<Document, 'stateSince' | 'id'>,
): Promise<void> {
  await trx
    .insertInto('retention_places')
    .values({ office_id: officeId, kind, at, id })
    .onConflict((conflict) => conflict.columns(['office_id', 'kind']).doUpdateSet({ at, id }))
    .execute()
}

/** False if the document has an item. */
export async function insertRetentionItem(trx: Transaction, item: RetentionItem): Promise<boolean> {
  const row = await trx
    .insertInto('retention_items')
    .values(toRow(item))
    .onConflict((conflict) => conflict.doNothing())
    .returning('document_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findRetentionItem(
  db: Reader,
  documentId: DocumentId,
): Promise<RetentionItem | undefined> {
  const row = await db
    .selectFrom('retention_items')
    .selectAll()
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row && toItem(row)
}

/** Items in a state, newest first. */
export async function listRetentionItems(
  db: Reader,
  { officeId, state }: { officeId: OfficeId; state: RetentionState },
  { behind, limit }: { behind: PageCursor<DocumentId> | undefined; limit: number },
): Promise<RetentionItem[]> {
  let query = db
    .selectFrom('retention_items')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('state', '=', state)
  if (behind)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('since', 'document_id'), '<', tuple(behind.at, behind.id as string)),
    )
  const rows = await query
    .orderBy('since', 'desc')
    .orderBy('document_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toItem)
}

/** Postponed items whose time is over. */
export async function listEndedPostponements(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<RetentionItem[]> {
  const rows = await db
    .selectFrom('retention_items')
    .selectAll()
    .where('state', '=', 'postponed')
    .where('until', '<=', now)
    .orderBy('until')
    .orderBy('document_id')
    .limit(limit)
    .execute()
  return rows.map(toItem)
}

/** Compare-and-swap: false if it is no longer as `seen`. */
export async function replaceRetentionItem(
  trx: Transaction,
  seen: RetentionItem,
  next: RetentionItem,
): Promise<boolean> {
  const { document_id: _, ...values } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('retention_items')
    .set(values)
    .where('document_id', '=', seen.documentId)
    .where('state', '=', seen.state)
    .where('since', '=', seen.since)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Compare-and-swap on state and version: from now on the document is blocked. */
export async function blockDocumentRow(
  trx: Transaction,
  seen: Pick<Document, 'id' | 'state' | 'version'>,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ blocked_at: at })
    .where('id', '=', seen.id)
    .where('state', '=', seen.state)
    .where('version', '=', seen.version)
    .where('blocked_at', 'is', null)
    .where('purged_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const toTerm = (row: RetentionTermRow): SetRetentionTerm => ({
  ...RetentionTerm.parse({
    ...{ kind: row.kind, years: row.years, blockDays: row.block_days, source: row.source },
  }),
  ...{ version: row.version, at: row.at, by: UserId.parse(row.by_user) },
})

const toItem = (row: RetentionItemRow): RetentionItem =>
  RetentionItem.parse({
    ...row,
    documentId: row.document_id,
    officeId: row.office_id,
    by: row.by_user,
  })

const toRow = (item: RetentionItem): RetentionItemRow => ({
  ...{ document_id: item.documentId, office_id: item.officeId, state: item.state },
  ...{ since: item.since, by_user: item.by, reason: item.reason, until: item.until },
})
