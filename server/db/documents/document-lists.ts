import { sql } from 'kysely'
import { isAfterCursor } from '#server/db/after-cursor.ts'
import { countStates, countUpTo } from '#server/db/count-up-to.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import {
  type Document,
  type DocumentKind,
  DocumentState,
} from '#server/domain/documents/document.ts'
import { DocumentId, type OfficeId, type UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import { Instant } from '#server/domain/time.ts'
import { toDocument } from './documents.ts'

export type DocumentFilter = {
  officeId: OfficeId
  state?: DocumentState | undefined
  /** The first and the last instant. */
  from?: Instant | undefined
  to?: Instant | undefined
  behind?: PageCursor<DocumentId> | undefined
  limit: number
}

/** Newest first. */
export async function listDocuments(db: Reader, filter: DocumentFilter): Promise<Document[]> {
  const rows = await newest(db, filter).selectAll().execute()
  return rows.map(toDocument)
}

/** The last of the `limit` documents that `listDocuments` would return; undefined if there are fewer. */
export async function findStretchEnd(
  db: Reader,
  filter: DocumentFilter,
): Promise<PageCursor<DocumentId> | undefined> {
  const row = await newest(db, { ...filter, limit: 1 })
    .select(['id', 'created_at'])
    .offset(filter.limit - 1)
    .executeTakeFirst()
  return row && { at: Instant.parse(row.created_at), id: DocumentId.parse(row.id) }
}

/** As `listDocuments`, of the documents down to `end`; compares as many entries of an index as there are. */
export async function listMatching(
  db: Reader,
  filter: DocumentFilter & {
    kind: DocumentKind | undefined
    createdBy: UserId | undefined
    /** Undefined for the oldest document of all. */
    end: PageCursor<DocumentId> | undefined
  },
): Promise<Document[]> {
  const { kind, createdBy, end } = filter
  let query = newest(db, filter).selectAll()
  if (kind) query = query.where('kind', '=', kind)
  if (createdBy) query = query.where('created_by', '=', createdBy)
  if (end) query = query.where(sql<boolean>`(created_at, id) >= (${end.at}, ${end.id})`)
  const rows = await query.execute()
  return rows.map(toDocument)
}

function newest(db: Reader, { officeId, state, from, to, behind, limit }: DocumentFilter) {
  let query = db.selectFrom('documents').where('office_id', '=', officeId)
  if (state) query = query.where('state', '=', state)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  if (behind) query = query.where(isAfterCursor(behind, 'created_at'))
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
}

/** The documents of these texts, highest number first. */
export async function listNumbered(
  db: Reader,
  filter: Pick<DocumentFilter, 'officeId' | 'state'> & {
    kind: DocumentKind | undefined
    createdBy: UserId | undefined
    numbers: readonly number[]
  },
): Promise<{ number: number; document: Document }[]> {
  const rows = await inChunks(filter.numbers, (chunk) => {
    let query = db
      .selectFrom('document_texts')
      .innerJoin('documents', 'documents.id', 'document_texts.document_id')
      .selectAll('documents')
      .select('document_texts.number')
      .where('document_texts.number', 'in', chunk)
      .where(unindexed('documents.office_id'), '=', filter.officeId)
    const { state, kind, createdBy } = filter
    if (state) query = query.where(unindexed('documents.state'), '=', state)
    if (kind) query = query.where(unindexed('documents.kind'), '=', kind)
    if (createdBy) query = query.where(unindexed('documents.created_by'), '=', createdBy)
    return query.execute()
  })
  return rows
    .map((row) => ({ number: Number(row.number), document: toDocument(row) }))
    .toSorted((left, right) => right.number - left.number)
}

/** The number of documents in each state, counted up to `MOST_COUNTED`; empty states are absent. */
export const countDocuments = (db: Reader, officeId: OfficeId) =>
  countStates(DocumentState.options, (state) =>
    countUpTo(
      db,
      db
        .selectFrom('documents')
        .select('id')
        .where('office_id', '=', officeId)
        .where('state', '=', state)
        // Of the index: PostgreSQL would look for them among all documents otherwise.
        .orderBy('created_at', 'desc'),
    ),
  )
