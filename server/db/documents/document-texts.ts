import { randomInt } from 'node:crypto'
import type { OnConflictBuilder } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import { dialectOf } from '#server/db/lock.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { DocumentId, type OfficeId, type SigningSessionId } from '#server/domain/ids.ts'

/* The texts in which documents are searched. A text is derived from other rows: what changes one of them marks it as due. */

/** To be called by whatever changes a fact that `documentText` takes. */
export async function markTextsDue(trx: Transaction, ids: readonly DocumentId[]): Promise<void> {
  await inChunks(ids, async (chunk) => {
    const rows = [...new Set(chunk)].toSorted().map((id) => ({ document_id: id }))
    await trx.insertInto('texts_due').values(rows).onConflict(seenAgain).execute()
    return []
  })
}

/** The same for the documents of a session, whose signers changed. */
export async function markTextsOfSessionDue(trx: Transaction, id: SigningSessionId): Promise<void> {
  await trx
    .insertInto('texts_due')
    .columns(['document_id'])
    .expression((eb) =>
      eb
        .selectFrom('session_documents')
        .select('document_id')
        .where('signing_session_id', '=', id)
        .orderBy('document_id'),
    )
    .onConflict(seenAgain)
    .execute()
}

/**
 * A mark that exists is written again: that locks it, so that the job does not take it before this transaction has written what it
 * changes.
 */
const seenAgain = (conflict: OnConflictBuilder<Tables, 'texts_due'>) =>
  conflict.column('document_id').doUpdateSet(({ ref }) => ({
    document_id: ref('excluded.document_id'),
  }))

/** Takes some of the documents whose text is due. The caller must write their texts in this transaction. */
export async function takeTextsDue(trx: Transaction, limit: number): Promise<DocumentId[]> {
  const due = trx.selectFrom('texts_due').select('document_id').limit(limit)
  const free = dialectOf(trx) === 'postgres' ? due.forUpdate().skipLocked() : due
  const rows = await trx
    .deleteFrom('texts_due')
    .where('document_id', 'in', free)
    .returning('document_id')
    .execute()
  return rows.map(({ document_id }) => DocumentId.parse(document_id))
}

export async function removeTextsDue(trx: Transaction, ids: readonly DocumentId[]): Promise<void> {
  await inChunks(ids, (chunk) =>
    trx
      .deleteFrom('texts_due')
      .where('document_id', 'in', chunk)
      .returning('document_id')
      .execute(),
  )
}

/** Whether more than so many texts are due. */
export async function areTextsDue(
  db: Reader,
  { moreThan }: { moreThan: number },
): Promise<boolean> {
  const rows = await db
    .selectFrom('texts_due')
    .select('document_id')
    .limit(moreThan + 1)
    .execute()
  return rows.length > moreThan
}

/** Names and RFCs of those who are asked to sign, or signed. */
export async function listSignersIn(
  db: Reader,
  ids: readonly DocumentId[],
): Promise<Map<DocumentId, { name: string; rfc: string | null }[]>> {
  const asked = await inChunks(ids, (chunk) =>
    db
      .selectFrom('session_documents as d')
      .innerJoin('signers as s', 's.signing_session_id', 'd.signing_session_id')
      .select(['d.document_id', 's.name', 's.rfc'])
      .where('d.document_id', 'in', chunk)
      .execute(),
  )
  const signed = await inChunks(ids, (chunk) =>
    db
      .selectFrom('signatures as s')
      .innerJoin('certificates as c', 'c.id', 's.certificate_id')
      .select(['s.document_id', 'c.name', 'c.rfc'])
      .where('s.document_id', 'in', chunk)
      .execute(),
  )
  return Map.groupBy([...asked, ...signed], ({ document_id }) => DocumentId.parse(document_id))
}

export type DocumentText = Pick<Document, 'id' | 'officeId' | 'createdAt'> & { text: string }

export async function replaceText(trx: Transaction, of: DocumentText): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('document_texts')
    .set({ text: of.text })
    .where('document_id', '=', of.id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) await insertText(trx, of)
}

/** The lowest number that a text of this office can have; undefined without documents. */
export async function findFirstNumber(db: Reader, officeId: OfficeId): Promise<number | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('created_at')
    .where('office_id', '=', officeId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && firstNumberOf(row.created_at)
}

/** So many documents may be of the same millisecond. */
const PLACES = 1024
const TRIES_PER_MILLISECOND = 8

/**
 * The number of a text that is as old as this. Numbers are in the order of time, so that the newest documents are found first
 * without sorting, and a search can go on behind any of them.
 */
export const firstNumberOf = (at: number): number => at * PLACES

async function insertText(trx: Transaction, { id, officeId, createdAt, text }: DocumentText) {
  for (let tries = 0; ; tries += 1) {
    const at = createdAt + Math.floor(tries / TRIES_PER_MILLISECOND)
    const inserted = await trx
      .insertInto('document_texts')
      .values({
        number: firstNumberOf(at) + randomInt(PLACES),
        ...{ document_id: id, office_id: officeId, text },
      })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 1n) return
  }
}
