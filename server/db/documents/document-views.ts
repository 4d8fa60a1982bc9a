import { lockUntilCommit } from '#server/db/lock.ts'
import type { DocumentViewRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentView, viewNameKey } from '#server/domain/documents/document-view.ts'
import type { DocumentViewId, UserId } from '#server/domain/ids.ts'

/** The user's views, by name; at most `MOST_VIEWS`. */
export async function listDocumentViews(db: Reader, userId: UserId): Promise<DocumentView[]> {
  const rows = await db
    .selectFrom('document_views')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  return rows.map(toView).toSorted((one, other) => one.name.localeCompare(other.name, 'es-MX'))
}

/** Locks the user's views until the transaction ends, so that two tabs do not keep more than there may be. */
export async function lockDocumentViews(trx: Transaction, userId: UserId): Promise<void> {
  await lockUntilCommit(trx, `document-views:${userId}`)
}

/** The caller must hold `lockDocumentViews`. */
export async function insertDocumentView(trx: Transaction, view: DocumentView): Promise<void> {
  const { id, userId, name, query, createdAt } = view
  await trx
    .insertInto('document_views')
    .values({
      ...{ id, user_id: userId, name, name_key: viewNameKey(name), query, created_at: createdAt },
    })
    .execute()
}

/** False if the user has no such view. */
export async function deleteDocumentView(
  trx: Transaction,
  userId: UserId,
  id: DocumentViewId,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('document_views')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

const toView = (row: DocumentViewRow): DocumentView =>
  DocumentView.parse({ ...row, userId: row.user_id, createdAt: row.created_at })
