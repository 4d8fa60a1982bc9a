import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** When the issuer of a certificate was last asked whether it was revoked: those asked longest ago are asked first. */
export async function rememberAskedRevocations(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant } = columnsOf(dialect)
  await db.schema.alterTable('certificates').addColumn('revocation_asked_at', instant).execute()
}
