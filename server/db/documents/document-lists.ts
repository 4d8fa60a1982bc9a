import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { countStates, MOST_COUNTED } from '#server/db/count-up-to.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import {
  type Document,
  type DocumentKind,
  DocumentState,
} from '#server/domain/documents/document.ts'
import type { DocumentOrder } from '#server/domain/documents/document-list.ts'
import {
  DocumentId,
  type OfficeId,
  type SigningSessionId,
  type UserId,
} from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { toDocument } from './documents.ts'

/** Where a list of documents goes on: the last document of a page, and what it is sorted by. */
export type ListPlace = { id: DocumentId } & ({ at: Instant } | { titleKey: string })

/** What documents are compared with; no index begins with one of these. */
export type DocumentConditions = {
  kind?: DocumentKind | undefined
  createdBy?: UserId | undefined
  /** A signer of a session with the document. */
  signer?: UserId | undefined
}

export type DocumentFilter = {
  officeId: OfficeId
  order: DocumentOrder
  state?: DocumentState | undefined
  /** The first and the last instant of the upload. */
  from?: Instant | undefined
  to?: Instant | undefined
  behind?: ListPlace | undefined
  limit: number
}

/** State and time of upload select only in the orders by upload; see `isByUpload`. In others `listMatching` compares them. */
export async function listDocuments(db: Reader, filter: DocumentFilter): Promise<Document[]> {
  const rows = await inOrder(db, filter).selectAll().execute()
  return rows.map(toDocument)
}

/** The last of the `limit` documents that follow in the order, whatever else is asked for; undefined if there are fewer. */
export async function findStretchEnd(
  db: Reader,
  filter: DocumentFilter,
): Promise<ListPlace | undefined> {
  const row = await inOrder(db, { ...filter, limit: 1 })
    .select(['id', 'title_key', 'created_at', 'state_since'])
    .offset(filter.limit - 1)
    .executeTakeFirst()
  if (!row) return undefined
  const id = DocumentId.parse(row.id)
  const { column } = SORTINGS[filter.order]
  return column === 'title_key' ? { titleKey: row.title_key, id } : { at: row[column], id }
}

/**
 * More than a stretch. PostgreSQL takes two compared pairs for independent: without a limit it would expect a quarter of all documents
 * between two places in the middle of the order, and scan the table.
 */
const MOST_COMPARED = 2_000

/** As `listDocuments`, of the documents as far as `end`; compares as many entries of an index as there are. */
export async function listMatching(
  db: Reader,
  filter: DocumentFilter & DocumentConditions & { end: ListPlace | undefined },
): Promise<Document[]> {
  const { end, order, state, from, to, limit } = filter
  const { column, isAscending } = SORTINGS[order]
  let stretch = inOrder(db, { ...filter, limit: MOST_COMPARED })
    .select(['id', 'kind', 'created_by'])
    .$if(!isByUpload(order), (query) => query.select(['state', 'created_at']))
  if (end) stretch = stretch.where(beside(order, isAscending ? '<=' : '>=', end))
  let query = db
    .selectFrom(stretch.as('compared'))
    .innerJoin('documents', 'documents.id', 'compared.id')
    .selectAll('documents')
  if (!isByUpload(order)) {
    if (state) query = query.where('compared.state', '=', state)
    if (from !== undefined) query = query.where('compared.created_at', '>=', from)
    if (to !== undefined) query = query.where('compared.created_at', '<=', to)
  }
  for (const condition of conditionsOf(filter, 'compared')) query = query.where(condition)
  const direction = isAscending ? 'asc' : 'desc'
  const rows = await query
    .orderBy(`documents.${column}`, direction)
    .orderBy('documents.id', direction)
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

/** As `listMatching`, of the documents of a session, which are few. */
export async function listOfSession(
  db: Reader,
  filter: DocumentFilter & DocumentConditions & { signingSession: SigningSessionId },
): Promise<Document[]> {
  const { officeId, signingSession, order, state, from, to, behind, limit } = filter
  const { column, isAscending } = SORTINGS[order]
  let query = db
    .selectFrom('session_documents')
    .innerJoin('documents', 'documents.id', 'session_documents.document_id')
    .selectAll('documents')
    .where('session_documents.signing_session_id', '=', signingSession)
    .where(unindexed('documents.office_id'), '=', officeId)
  if (state) query = query.where(unindexed('documents.state'), '=', state)
  if (from !== undefined) query = query.where(unindexed('documents.created_at'), '>=', from)
  if (to !== undefined) query = query.where(unindexed('documents.created_at'), '<=', to)
  for (const condition of conditionsOf(filter)) query = query.where(condition)
  if (behind) query = query.where(beside(order, isAscending ? '>' : '<', behind))
  const direction = isAscending ? 'asc' : 'desc'
  const rows = await query
    .orderBy(`documents.${column}`, direction)
    .orderBy('documents.id', direction)
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

/** Where a list by title goes on behind this document of the office. */
export async function findTitlePlace(
  db: Reader,
  officeId: OfficeId,
  id: DocumentId,
): Promise<ListPlace | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('title_key')
    .where('id', '=', id)
    .where(unindexed('office_id'), '=', officeId)
    .executeTakeFirst()
  return row && { titleKey: row.title_key, id }
}

/** An index begins with the office and each of these columns. */
const SORTINGS = {
  newest: { column: 'created_at', isAscending: false },
  oldest: { column: 'created_at', isAscending: true },
  changed: { column: 'state_since', isAscending: false },
  title: { column: 'title_key', isAscending: true },
} as const satisfies Record<DocumentOrder, { column: keyof DocumentRow; isAscending: boolean }>

/** Whether indexes select by state and time of upload in this order; they only hold them in the others. */
export const isByUpload = (order: DocumentOrder): boolean => SORTINGS[order].column === 'created_at'

/** The documents behind a place, as far as an index selects them in this order. */
function inOrder(db: Reader, filter: DocumentFilter) {
  const { officeId, order, state, from, to, behind, limit } = filter
  const { column, isAscending } = SORTINGS[order]
  let query = db.selectFrom('documents').where('office_id', '=', officeId)
  if (isByUpload(order)) {
    if (state) query = query.where('state', '=', state)
    if (from !== undefined) query = query.where('created_at', '>=', from)
    if (to !== undefined) query = query.where('created_at', '<=', to)
  }
  if (behind) query = query.where(beside(order, isAscending ? '>' : '<', behind))
  const direction = isAscending ? 'asc' : 'desc'
  return query.orderBy(column, direction).orderBy('id', direction).limit(limit)
}

/** Compares documents with a place in the order. Keyset pagination: the thousandth page costs as much as the first. */
const beside = (order: DocumentOrder, operator: '<' | '<=' | '>' | '>=', place: ListPlace) =>
  sql<SqlBool>`(${sql.ref(`documents.${SORTINGS[order].column}`)}, documents.id)
    ${sql.raw(operator)} (${'at' in place ? place.at : place.titleKey}, ${place.id})`

/** @param table what the query calls the documents */
function conditionsOf(
  { kind, createdBy, signer }: DocumentConditions,
  table: 'documents' | 'compared' = 'documents',
): RawBuilder<SqlBool>[] {
  const equals = (column: string, value: string) =>
    sql<SqlBool>`${unindexed(`${table}.${column}`)} = ${value}`
  return [
    ...(kind ? [equals('kind', kind)] : []),
    ...(createdBy ? [equals('created_by', createdBy)] : []),
    ...(signer ? [isSignedBy(signer, table)] : []),
  ]
}

/**
 * Counts among the signers of the document. With a condition on the user PostgreSQL would read all signers, and SQLite all of the
 * user.
 */
const isSignedBy = (user: UserId, table: string) => sql<SqlBool>`0 < (
  select count(case when signers.user_id = ${user} and signers.replaced_by is null then 1 end)
  from session_documents as held
  inner join signers on signers.signing_session_id = held.signing_session_id
  where held.document_id = ${sql.ref(`${table}.id`)})`

/** The documents of these texts, highest number first. */
export async function listNumbered(
  db: Reader,
  filter: Pick<DocumentFilter, 'officeId' | 'state'> &
    DocumentConditions & {
      signingSession?: SigningSessionId | undefined
      numbers: readonly number[]
    },
): Promise<{ number: number; document: Document }[]> {
  const { officeId, state, signingSession } = filter
  const rows = await inChunks(filter.numbers, (chunk) => {
    let query = db
      .selectFrom('document_texts')
      .innerJoin('documents', 'documents.id', 'document_texts.document_id')
      .selectAll('documents')
      .select('document_texts.number')
      .where('document_texts.number', 'in', chunk)
      .where(unindexed('documents.office_id'), '=', officeId)
    if (state) query = query.where(unindexed('documents.state'), '=', state)
    for (const condition of conditionsOf(filter)) query = query.where(condition)
    if (signingSession) query = query.where(isHeldBy(signingSession))
    return query.execute()
  })
  return rows
    .map((row) => ({ number: Number(row.number), document: toDocument(row) }))
    .toSorted((left, right) => right.number - left.number)
}

const isHeldBy = (signingSession: SigningSessionId) => sql<SqlBool>`1 = (
  select 1 from session_documents as held
  where held.document_id = documents.id and held.signing_session_id = ${signingSession}
  limit 1)`

/** The number of documents in each state, counted up to `MOST_COUNTED`; empty states are absent. */
export const countDocuments = (db: Reader, officeId: OfficeId) =>
  countStates(
    db,
    DocumentState.options.map((state) =>
      db
        .selectFrom('documents')
        .select('state')
        .where('office_id', '=', officeId)
        .where('state', '=', state)
        // Of the index: PostgreSQL would look for them among all documents otherwise.
        .orderBy('created_at', 'desc')
        .limit(MOST_COUNTED),
    ),
  )
