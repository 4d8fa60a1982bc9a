import type { OfficeKeyRow } from '#server/db/tables/files.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeKey } from '#server/domain/documents/stored-file.ts'
import { OfficeId, OfficeKeyId } from '#server/domain/ids.ts'

export async function findOfficeKey(db: Reader, id: OfficeKeyId): Promise<OfficeKey | undefined> {
  const row = await db.selectFrom('office_keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toOfficeKey(row)
}

/** The key that wraps new keys; undefined if the office has none yet. */
export async function findNewestOfficeKey(
  db: Reader,
  officeId: OfficeId,
): Promise<OfficeKey | undefined> {
  const row = await db
    .selectFrom('office_keys')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toOfficeKey(row)
}

/** Whether any office has one. */
export async function hasOfficeKeys(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('office_keys').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Oldest first. */
export async function listOfficeKeys(db: Reader, officeId: OfficeId): Promise<OfficeKey[]> {
  const rows = await db
    .selectFrom('office_keys')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('number')
    .execute()
  return rows.map(toOfficeKey)
}

/** False if another process added a key with this number first. */
export async function addOfficeKey(trx: Transaction, key: OfficeKey): Promise<boolean> {
  const row = await trx
    .insertInto('office_keys')
    .values({
      id: key.id,
      office_id: key.officeId,
      number: key.number,
      made_at: key.madeAt,
      key_version: key.sealed.keyVersion,
      sealed_key: key.sealed.bytes,
    })
    .onConflict((conflict) => conflict.columns(['office_id', 'number']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** False if a file still needs it. */
export async function deleteOfficeKey(trx: Transaction, id: OfficeKeyId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('office_keys')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('stored_files').select('sha256').where('office_key_id', '=', id))),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

const toOfficeKey = (row: OfficeKeyRow): OfficeKey => ({
  id: OfficeKeyId.parse(row.id),
  officeId: OfficeId.parse(row.office_id),
  number: row.number,
  madeAt: row.made_at,
  sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_key) },
})
