import { isFileOfPackage } from '#server/db/care/arco-packages.ts'
import { isCapacityFile } from '#server/db/people/capacity-documents.ts'
import { isFileOfRun } from '#server/db/reports/report-runs.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Takes the row of a stored file away, and with it the key that the file is read with. The file itself is
 * noted as unneeded. Does nothing if the office has no such row, or if a document has the content that was not purged, a report, or an
 * archive of what is held about a person, or if it supports a capacity.
 */
export async function giveUpFile(
  trx: Transaction,
  { officeId, sha256 }: FileAddress,
  at: Instant,
): Promise<void> {
  const needed = await trx
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.id', 'document_versions.document_id')
    .select('documents.id')
    .where('document_versions.sha256', '=', sha256)
    .where('documents.office_id', '=', officeId)
    .where('documents.purged_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const address = { officeId, sha256 }
  if (needed || (await isFileOfRun(trx, address)) || (await isFileOfPackage(trx, address))) return
  if (await isCapacityFile(trx, address)) return
  const row = await trx
    .deleteFrom('stored_files')
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .returning('file')
    .executeTakeFirst()
  if (row) await trx.insertInto('unneeded_files').values({ file: row.file, since: at }).execute()
}

/** In the order of their names. */
export async function listUnneededFiles(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('unneeded_files')
    .select('file')
    .orderBy('file')
    .limit(limit)
    .execute()
  return rows.map(({ file }) => file)
}

/** After the file is gone. */
export async function forgetUnneededFile(trx: Transaction, file: string): Promise<void> {
  await trx.deleteFrom('unneeded_files').where('file', '=', file).execute()
}
