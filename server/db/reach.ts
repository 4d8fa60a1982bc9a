import type { Reader } from './transaction.ts'

/** Asks for one row. @throws {Error} if the database does not answer */
export async function reach(db: Reader): Promise<void> {
  await db.selectFrom('offices').select('id').limit(1).execute()
}
