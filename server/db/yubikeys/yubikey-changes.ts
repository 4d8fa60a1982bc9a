import type { YubikeyChangeRow } from '#server/db/tables/yubikeys.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { YubikeyId } from '#server/domain/ids.ts'
import { YubikeyChange } from '#server/domain/yubikeys/yubikey.ts'

export async function insertYubikeyChange(trx: Transaction, change: YubikeyChange): Promise<void> {
  await trx.insertInto('yubikey_changes').values(toRow(change)).execute()
}

/** What happened to a key, newest first. @param page.before the version behind which the page starts */
export async function listYubikeyChanges(
  db: Reader,
  yubikeyId: YubikeyId,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<YubikeyChange[]> {
  let query = db.selectFrom('yubikey_changes').selectAll().where('yubikey_id', '=', yubikeyId)
  if (before !== undefined) query = query.where('version', '<', before)
  const rows = await query.orderBy('version', 'desc').limit(limit).execute()
  return rows.map(toChange)
}

export async function findYubikeyChange(
  db: Reader,
  yubikeyId: YubikeyId,
  version: number,
): Promise<YubikeyChange | undefined> {
  const row = await db
    .selectFrom('yubikey_changes')
    .selectAll()
    .where('yubikey_id', '=', yubikeyId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && toChange(row)
}

const toChange = (row: YubikeyChangeRow): YubikeyChange =>
  YubikeyChange.parse({
    ...row,
    yubikeyId: row.yubikey_id,
    by: row.by_user,
    holderId: row.holder_id,
  })

const toRow = (change: YubikeyChange): YubikeyChangeRow => ({
  yubikey_id: change.yubikeyId,
  version: change.version,
  kind: change.kind,
  at: change.at,
  by_user: change.by,
  holder_id: change.holderId,
  note: change.note,
})
