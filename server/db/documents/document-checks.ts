import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { DocumentCheckRow } from '#server/db/tables/checklists.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { ActId, DocumentId } from '#server/domain/ids.ts'
import { DocumentCheck } from '#server/domain/signing/act/checklist.ts'

/** Serializes changes of the lists of a document: two users who tick an item at once make one event. */
export const lockChecks = (trx: Transaction, documentId: DocumentId) =>
  lockUntilCommit(trx, `checks:${documentId}`)

/** The items of all lists of a document, in order. */
export async function listChecks(db: Reader, documentId: DocumentId): Promise<DocumentCheck[]> {
  const rows = await db
    .selectFrom('document_checks')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('act_id')
    .orderBy('position')
    .execute()
  return rows.map(toCheck)
}

/** The items of these documents, by document; documents without a list are absent. */
export async function listChecksOf(
  db: Reader,
  documentIds: Iterable<DocumentId>,
): Promise<Map<DocumentId, DocumentCheck[]>> {
  const rows = await inChunks(documentIds, (chunk) =>
    db.selectFrom('document_checks').selectAll().where('document_id', 'in', chunk).execute(),
  )
  return Map.groupBy(rows.map(toCheck), ({ documentId }) => documentId)
}

export async function insertChecks(
  trx: Transaction,
  checks: readonly DocumentCheck[],
): Promise<void> {
  if (checks.length > 0) await trx.insertInto('document_checks').values(checks.map(toRow)).execute()
}

/** Writes state, note, time and author of an item, under `lockChecks`. */
export async function replaceCheck(trx: Transaction, check: DocumentCheck): Promise<void> {
  const { state, note, at, by_user } = toRow(check)
  await trx
    .updateTable('document_checks')
    .set({ state, note, at, by_user })
    .where('document_id', '=', check.documentId)
    .where('act_id', '=', check.actId)
    .where('position', '=', check.position)
    .execute()
}

export async function deleteChecks(
  trx: Transaction,
  documentId: DocumentId,
  actId: ActId,
): Promise<void> {
  await trx
    .deleteFrom('document_checks')
    .where('document_id', '=', documentId)
    .where('act_id', '=', actId)
    .execute()
}

const toCheck = ({ document_id, act_id, act_name, by_user, ...row }: DocumentCheckRow) =>
  DocumentCheck.parse({
    ...row,
    ...{ documentId: document_id, actId: act_id, actName: act_name, by: by_user },
  })

const toRow = ({ documentId, actId, actName, by, ...check }: DocumentCheck): DocumentCheckRow => ({
  ...check,
  ...{ document_id: documentId, act_id: actId, act_name: actName, by_user: by },
})
