import type { YubikeyRow } from '#server/db/tables/yubikeys.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unionOf } from '#server/db/union-of.ts'
import type { OfficeId, UserId, YubikeyId } from '#server/domain/ids.ts'
import { Yubikey, type YubikeyState } from '#server/domain/yubikeys/yubikey.ts'

export async function findYubikey(db: Reader, id: YubikeyId): Promise<Yubikey | undefined> {
  const row = await db.selectFrom('yubikeys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toYubikey(row)
}

type Page = {
  officeId: OfficeId
  state?: YubikeyState | undefined
  /** The serial number behind which the page starts. */
  behind?: string | undefined
  limit: number
}

/** The office's keys in the order of their serial numbers, as texts. @param page.digits with which these begin */
export async function listYubikeys(
  db: Reader,
  { officeId, state, behind, digits = '', limit }: Page & { digits?: string | undefined },
): Promise<Yubikey[]> {
  let query = db.selectFrom('yubikeys').selectAll().where('office_id', '=', officeId)
  if (state) query = query.where('state', '=', state)
  if (behind !== undefined) query = query.where('serial', '>', behind)
  // Digits have the same order in every collation, and no serial number has more of them.
  if (digits) query = query.where('serial', '>=', digits)
  if (digits) query = query.where('serial', '<=', digits.padEnd(LONGEST_SERIAL, '9'))
  const rows = await query.orderBy('serial').limit(limit).execute()
  return rows.map(toYubikey)
}

const LONGEST_SERIAL = 12

/** Holders of one statement: SQLite joins no more than 500 parts. */
const HOLDERS_AT_ONCE = 100

/** The same for the keys of these holders. */
export async function listYubikeysOf(
  db: Reader,
  holderIds: readonly UserId[],
  { officeId, state, behind, limit }: Page,
): Promise<Yubikey[]> {
  const found: Yubikey[] = []
  for (let start = 0; start < holderIds.length; start += HOLDERS_AT_ONCE) {
    const parts = holderIds.slice(start, start + HOLDERS_AT_ONCE).map((holderId) => {
      let query = db.selectFrom('yubikeys').selectAll().where('holder_id', '=', holderId)
      if (state) query = query.where('state', '=', state)
      if (behind !== undefined) query = query.where('serial', '>', behind)
      return db.selectFrom(query.orderBy('serial').limit(limit).as('own')).selectAll()
    })
    found.push(...(await unionOf(parts).execute()).map(toYubikey))
  }
  return found
    .filter((yubikey) => yubikey.officeId === officeId)
    .toSorted((one, other) => (one.serial < other.serial ? -1 : 1))
    .slice(0, limit)
}

/** False if the office has a key with this serial number. */
export async function insertYubikey(trx: Transaction, yubikey: Yubikey): Promise<boolean> {
  const inserted = await trx
    .insertInto('yubikeys')
    .values(toRow(yubikey))
    .onConflict((conflict) => conflict.columns(['office_id', 'serial']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Compare-and-swap: false if another request has changed the key since the version before `next`. */
export async function replaceYubikey(trx: Transaction, next: Yubikey): Promise<boolean> {
  const { id, ...changed } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('yubikeys')
    .set(changed)
    .where('id', '=', id)
    .where('version', '=', next.version - 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const toYubikey = (row: YubikeyRow): Yubikey =>
  Yubikey.parse({
    ...row,
    officeId: row.office_id,
    formFactor: row.form_factor,
    stateSince: row.state_since,
    stateBy: row.state_by,
    holderId: row.holder_id,
    certificateId: row.certificate_id,
  })

const toRow = (yubikey: Yubikey): YubikeyRow => ({
  id: yubikey.id,
  office_id: yubikey.officeId,
  serial: yubikey.serial,
  model: yubikey.model,
  firmware: yubikey.firmware,
  form_factor: yubikey.formFactor,
  state: yubikey.state,
  state_since: yubikey.stateSince,
  state_by: yubikey.stateBy,
  holder_id: yubikey.holderId,
  certificate_id: yubikey.certificateId,
  version: yubikey.version,
})
