import { lockUntilCommit } from '#server/db/lock.ts'
import type { ActRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { ActId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Act, MOST_ACTS } from '#server/domain/signing/act/act.ts'
import { defaultActs } from '#server/domain/signing/act/default-acts.ts'
import type { Instant } from '#server/domain/time.ts'

/** An act as a user wrote it. */
type WrittenAct = Act & { at: Instant; by: UserId }

/** The acts of the office in the order of their names, retired ones too: its own, and those of the program that it has not changed. */
export async function listActs(db: Reader, officeId: OfficeId): Promise<Act[]> {
  const rows = await db
    .selectFrom('acts')
    .selectAll()
    .where('office_id', '=', officeId)
    .limit(MOST_ACTS)
    .execute()
  const written = rows.map(toAct)
  const changed = new Set(written.map(({ id }) => id))
  const untouched = defaultActs(officeId).filter(({ id }) => !changed.has(id))
  return [...written, ...untouched].toSorted((a, b) => a.name.localeCompare(b.name, 'es-MX'))
}

export async function findAct(db: Reader, officeId: OfficeId, id: ActId): Promise<Act | undefined> {
  const row = await db
    .selectFrom('acts')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toAct(row) : defaultActs(officeId).find((act) => act.id === id)
}

/** Serializes changes of the office's list: two concurrent ones give no two acts one name. */
export const lockActs = (trx: Transaction, officeId: OfficeId) =>
  lockUntilCommit(trx, `acts:${officeId}`)

/** Inserts the act, or replaces it under `lockActs`. */
export async function upsertAct(trx: Transaction, act: WrittenAct): Promise<void> {
  const { office_id, id, ...changing } = toRow(act)
  await trx
    .insertInto('acts')
    .values({ office_id, id, ...changing })
    .onConflict((conflict) => conflict.columns(['office_id', 'id']).doUpdateSet(changing))
    .execute()
}

const toAct = ({ office_id, by_user, roles, electronic, ...row }: ActRow): Act =>
  Act.parse({
    ...row,
    officeId: office_id,
    roles: JSON.parse(roles),
    electronic: electronic === null ? null : JSON.parse(electronic),
    by: by_user,
  })

const toRow = ({ officeId, by, roles, electronic, ...act }: WrittenAct): ActRow => ({
  ...act,
  office_id: officeId,
  roles: JSON.stringify(roles),
  electronic: electronic && JSON.stringify(electronic),
  by_user: by,
})
