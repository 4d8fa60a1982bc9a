import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Instant } from '#server/domain/time.ts'

/** The store that has the files of this database. */
export type KnownStore = {
  id: string
  /** Whether the store was seen to have the id. */
  isConfirmed: boolean
}

/** Undefined before the first start. */
export async function findFileStore(db: Reader): Promise<KnownStore | undefined> {
  const row = await db
    .selectFrom('file_store')
    .select(['store_id', 'confirmed_at'])
    .executeTakeFirst()
  return row && { id: row.store_id, isConfirmed: row.confirmed_at !== null }
}

/** Notes the id, unless there is one already. */
export async function insertFileStore(trx: Transaction, id: string): Promise<void> {
  await trx
    .insertInto('file_store')
    .values({ id: 1, store_id: id, confirmed_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function confirmFileStore(trx: Transaction, at: Instant): Promise<void> {
  await trx.updateTable('file_store').set({ confirmed_at: at }).execute()
}

/** The first and the last names of files, if there are any: those of one office begin alike. @param limit of each */
export async function listSomeFiles(db: Reader, limit: number): Promise<string[]> {
  const query = db.selectFrom('stored_files').select('file').limit(limit)
  const rows = [
    ...(await query.orderBy('file').execute()),
    ...(await query.orderBy('file', 'desc').execute()),
  ]
  return rows.map(({ file }) => file)
}

/** Whether there are documents, and no file of any is named: an early release kept their files without rows. */
export async function hasUnnamedFiles(db: Reader): Promise<boolean> {
  const version = await db.selectFrom('document_versions').select('version').limit(1).execute()
  if (version.length === 0) return false
  const named = await db.selectFrom('stored_files').select('file').limit(1).execute()
  return named.length === 0
}
