import { z } from 'zod'
import { markTextsDue } from '#server/db/documents/document-texts.ts'
import { leaveNumbers } from '#server/db/documents/numbers/number-entries.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { DocumentRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Day } from '#server/domain/day.ts'
import { Document } from '#server/domain/documents/document.ts'
import { leavesNumber } from '#server/domain/documents/document-state.ts'
import { type Folio, folioOf } from '#server/domain/documents/folio.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import { titleKey } from '#server/domain/documents/title-key.ts'
import { DocumentId, type OfficeId, type Sha256, type UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { IS_NEWEST_UPLOAD } from './document-versions.ts'

export async function findDocument(db: Reader, id: DocumentId): Promise<Document | undefined> {
  const row = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDocument(row)
}

/** The existing documents by id. */
export async function findDocuments(
  db: Reader,
  ids: Iterable<DocumentId>,
): Promise<Map<DocumentId, Document>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('documents').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toDocument).map((document) => [document.id, document]))
}

/** The days of the instruments of these documents, of those that have one. The rest is not parsed: it costs ten times as much. */
export async function findInstrumentDays(
  db: Reader,
  ids: Iterable<DocumentId>,
): Promise<Map<DocumentId, Day>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('documents').select(['id', 'instrument']).where('id', 'in', chunk).execute(),
  )
  const days = new Map<DocumentId, Day>()
  for (const { id, instrument } of rows) {
    const { date } = WithDay.parse(JSON.parse(instrument ?? '{}'))
    if (date) days.set(DocumentId.parse(id), date)
  }
  return days
}

const WithDay = z.object({ date: Day.nullish() })

/**
 * The document that this user uploaded with these bytes and this title since `since`, unless it was cancelled.
 */
export async function findUploadedTwin(
  db: Reader,
  upload: { by: UserId; title: string; sha256: Sha256; since: Instant },
): Promise<Document | undefined> {
  const row = await db
    .selectFrom('documents')
    .innerJoin('document_versions', 'document_versions.document_id', 'documents.id')
    .selectAll('documents')
    .where('documents.created_by', '=', upload.by)
    .where('documents.title', '=', upload.title)
    .where('documents.created_at', '>=', upload.since)
    .where('document_versions.sha256', '=', upload.sha256)
    .where('document_versions.version', '=', 1)
    .where('documents.state', '!=', 'cancelled')
    .executeTakeFirst()
  return row && toDocument(row)
}

/** The newest document of the office that came with this content, unless it was cancelled. */
export async function findSameContent(
  db: Reader,
  { officeId, sha256 }: FileAddress,
): Promise<Document | undefined> {
  const row = await db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.id', 'document_versions.document_id')
    .selectAll('documents')
    .where('document_versions.sha256', '=', sha256)
    .where('document_versions.cause', '=', 'uploaded')
    .where(IS_NEWEST_UPLOAD)
    .where('documents.office_id', '=', officeId)
    .where('documents.state', '!=', 'cancelled')
    .orderBy('documents.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toDocument(row)
}

/** Locks the office's folio numbers until the transaction ends, so that none is assigned twice or skipped. */
export async function lockFolios(trx: Transaction, officeId: OfficeId): Promise<void> {
  await lockUntilCommit(trx, `folios:${officeId}`)
}

/** The next folio of the year. The caller must hold `lockFolios`. */
export async function findNextFolio(
  trx: Transaction,
  officeId: OfficeId,
  year: number,
): Promise<Folio> {
  const { last } = await trx
    .selectFrom('documents')
    .select(({ fn }) => fn.max<number | null>('folio_number').as('last'))
    .where('office_id', '=', officeId)
    .where('folio_year', '=', year)
    .executeTakeFirstOrThrow()
  return folioOf(year, (last ?? 0) + 1)
}

/** All documents, with the time of their upload. For offices of which it is known that they are small. */
export async function listUploads(db: Reader): Promise<{ id: DocumentId; at: Instant }[]> {
  const rows = await db.selectFrom('documents').select(['id', 'created_at']).execute()
  return rows.map(({ id, created_at: at }) => ({ id: DocumentId.parse(id), at }))
}

export async function insertDocument(trx: Transaction, document: Document): Promise<void> {
  await trx.insertInto('documents').values(toRow(document)).execute()
  await markTextsDue(trx, [document.id])
}

/**
 * Compare-and-swap on version and state: false if the document is no longer as `seen`. Does not write immutable
 * columns (folio, code, office, author).
 */
export async function replaceDocument(
  trx: Transaction,
  seen: Pick<Document, 'version' | 'state'>,
  next: Document,
): Promise<boolean> {
  const { title, title_key, kind, state, state_since, state_by, version } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ title, title_key, kind, state, state_since, state_by, version })
    .where('id', '=', next.id)
    .where('version', '=', seen.version)
    .where('state', '=', seen.state)
    .executeTakeFirstOrThrow()
  if (leavesNumber(next.state))
    await leaveNumbers(trx, [next.id], { at: next.stateSince, by: next.stateBy })
  return numUpdatedRows === 1n
}

/** Compare-and-swap on the state: cancels a draft, and notes that the file is purged; false if it is no longer as `seen`. */
export async function purgeDocumentRow(
  trx: Transaction,
  seen: Pick<Document, 'id' | 'version' | 'state'>,
  { at, by }: { at: Instant; by: UserId },
): Promise<boolean> {
  const cancelled = { state: 'cancelled', state_since: at, state_by: by } as const
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ purged_at: at, purged_by: by, ...(seen.state === 'draft' && cancelled) })
    .where('id', '=', seen.id)
    .where('version', '=', seen.version)
    .where('state', '=', seen.state)
    .where('purged_at', 'is', null)
    .executeTakeFirstOrThrow()
  await leaveNumbers(trx, [seen.id], { at, by })
  return numUpdatedRows === 1n
}

/** Compare-and-swap on a draft: it has another file from now on, in which no place for stamps is chosen. */
export async function replaceFileRow(
  trx: Transaction,
  seen: Pick<Document, 'id' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ version: seen.version + 1, stamp_choice: null })
    .where('id', '=', seen.id)
    .where('version', '=', seen.version)
    .where('state', '=', 'draft')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Compare-and-swap on a draft: writes its description and public look-up; false if it is no draft of this version. */
export async function replaceDescription(
  trx: Transaction,
  seen: Document,
  next: Pick<Document, 'title' | 'kind' | 'instrument' | 'publicLookup'>,
): Promise<boolean> {
  const row = toRow({ ...seen, ...next })
  const { title, title_key, kind, instrument } = row
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ title, title_key, kind, instrument, ...lookupIn(row) })
    .where('id', '=', seen.id)
    .where('version', '=', seen.version)
    .where('state', '=', 'draft')
    .executeTakeFirstOrThrow()
  await markTextsDue(trx, [seen.id])
  return numUpdatedRows === 1n
}

/** Compare-and-swap on the public look-up: false if it changed since it was `seen`. */
export async function replacePublicLookup(
  trx: Transaction,
  seen: Document,
  publicLookup: Document['publicLookup'],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set(lookupIn(toRow({ ...seen, publicLookup })))
    .where('id', '=', seen.id)
    .where('public_lookup', '=', seen.publicLookup.state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Compare-and-swap on the pictures of the public page: false if that changed since it was `seen`. */
export async function replacePublicPictures(
  trx: Transaction,
  seen: Document,
  publicPictures: Document['publicPictures'],
): Promise<boolean> {
  const row = toRow({ ...seen, publicPictures })
  const { public_pictures, public_pictures_since, public_pictures_by } = row
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ public_pictures, public_pictures_since, public_pictures_by })
    .where('id', '=', seen.id)
    .where('public_pictures', '=', seen.publicPictures.state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Compare-and-swap on version and state: writes where stamps shall stand; false if the document changed since it was `seen`. */
export async function replaceStampChoice(
  trx: Transaction,
  seen: Document,
  stampChoice: Document['stampChoice'],
): Promise<boolean> {
  const { stamp_choice } = toRow({ ...seen, stampChoice })
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set({ stamp_choice })
    .where('id', '=', seen.id)
    .where('version', '=', seen.version)
    .where('state', '=', seen.state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const lookupIn = (row: DocumentRow) => ({
  public_lookup: row.public_lookup,
  public_lookup_since: row.public_lookup_since,
  public_lookup_by: row.public_lookup_by,
})

export function toDocument(row: DocumentRow): Document {
  return Document.parse({
    ...row,
    instrument: row.instrument === null ? null : JSON.parse(row.instrument),
    officeId: row.office_id,
    verificationCode: row.verification_code,
    stateSince: row.state_since,
    stateBy: row.state_by,
    createdAt: row.created_at,
    createdBy: row.created_by,
    publicLookup: {
      state: row.public_lookup,
      since: row.public_lookup_since ?? row.created_at,
      by: row.public_lookup_by,
    },
    publicPictures: {
      state: row.public_pictures,
      since: row.public_pictures_since ?? row.created_at,
      by: row.public_pictures_by,
    },
    stampChoice: row.stamp_choice === null ? null : JSON.parse(row.stamp_choice),
    blockedAt: row.blocked_at,
    purged: row.purged_at === null ? null : { at: row.purged_at, by: row.purged_by },
  })
}

function toRow(document: Document): DocumentRow {
  const [year, number] = document.folio.split('-').map(Number)
  if (year === undefined || number === undefined) throw new RangeError(document.folio)
  return {
    id: document.id,
    office_id: document.officeId,
    folio: document.folio,
    folio_year: year,
    folio_number: number,
    verification_code: document.verificationCode,
    kind: document.kind,
    title: document.title,
    title_key: titleKey(document.title),
    instrument: document.instrument && JSON.stringify(document.instrument),
    state: document.state,
    state_since: document.stateSince,
    state_by: document.stateBy,
    version: document.version,
    created_at: document.createdAt,
    created_by: document.createdBy,
    public_lookup: document.publicLookup.state,
    public_lookup_since: document.publicLookup.since,
    public_lookup_by: document.publicLookup.by,
    public_pictures: document.publicPictures.state,
    public_pictures_since: document.publicPictures.since,
    public_pictures_by: document.publicPictures.by,
    stamp_choice: document.stampChoice && JSON.stringify(document.stampChoice),
    purged_at: document.purged?.at ?? null,
    purged_by: document.purged?.by ?? null,
    blocked_at: document.blockedAt,
  }
}
