import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * An external signer who rejects proves who they are: a signer's row says how, and the link that is open in their browser has
 * the hash of the code that was mailed to them.
 */
export async function proveRejections(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant } = columnsOf(dialect)
  await db.schema.alterTable('signers').addColumn('state_proof', 'text').execute()
  await db.schema.alterTable('signing_links').addColumn('rejection_code', 'text').execute()
  await db.schema.alterTable('signing_links').addColumn('rejection_code_at', instant).execute()
}
