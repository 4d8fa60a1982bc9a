import { sql } from 'kysely'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import { Instant } from '#server/domain/time.ts'
import type { OfSeries } from './number-entries.ts'

/** What a document has in place of a number of the register: `12,345 bis`, or a duplicate from before it. */
export type NumberText = { documentId: DocumentId; text: string; at: Instant }

/** Lists the text; false if another document of the series has the same. */
export async function insertNumberText(
  trx: Transaction,
  { officeId, seriesId }: OfSeries,
  { documentId, text, folded, at }: NumberText & { folded: string },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('number_texts')
    .values({ document_id: documentId, office_id: officeId, series_id: seriesId, text, folded, at })
    .onConflict((conflict) => conflict.columns(['office_id', 'series_id', 'folded']).doNothing())
    .returning('document_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteNumberText(trx: Transaction, documentId: DocumentId): Promise<void> {
  await trx.deleteFrom('number_texts').where('document_id', '=', documentId).execute()
}

export async function findNumberText(
  db: Reader,
  documentId: DocumentId,
): Promise<NumberText | undefined> {
  const row = await db
    .selectFrom('number_texts')
    .selectAll()
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row && toText(row)
}

/** The texts of a series, newest first. */
export async function listNumberTexts(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  { behind, limit }: { behind: PageCursor<DocumentId> | undefined; limit: number },
): Promise<NumberText[]> {
  const rows = await db
    .selectFrom('number_texts')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .$if(behind !== undefined, (query) =>
      query.where(sql<boolean>`(at, document_id) < (${behind?.at}, ${behind?.id})`),
    )
    .orderBy('at', 'desc')
    .orderBy('document_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toText)
}

const toText = (row: { document_id: string; text: string; at: Instant }): NumberText => ({
  documentId: DocumentId.parse(row.document_id),
  text: row.text,
  at: Instant.parse(row.at),
})
