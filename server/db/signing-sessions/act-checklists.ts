import type { ActChecklistRow } from '#server/db/tables/checklists.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { ActId, OfficeId, UserId } from '#server/domain/ids.ts'
import { MOST_ACTS } from '#server/domain/signing/act/act.ts'
import { Checklist } from '#server/domain/signing/act/checklist.ts'
import { suggestedChecklist } from '#server/domain/signing/act/default-checklists.ts'
import type { Instant } from '#server/domain/time.ts'

/** The list of an act: the office's own, or what the program suggests. */
export async function findChecklist(
  db: Reader,
  officeId: OfficeId,
  actId: ActId,
): Promise<Checklist> {
  const row = await db
    .selectFrom('act_checklists')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('act_id', '=', actId)
    .executeTakeFirst()
  return row ? toChecklist(row) : suggestedChecklist(officeId, actId)
}

/** The lists that the office wrote itself, by act. */
export async function listOwnChecklists(
  db: Reader,
  officeId: OfficeId,
): Promise<Map<ActId, Checklist>> {
  const rows = await db
    .selectFrom('act_checklists')
    .selectAll()
    .where('office_id', '=', officeId)
    .limit(MOST_ACTS)
    .execute()
  return new Map(rows.map(toChecklist).map((list) => [list.actId, list]))
}

/** Inserts the list, or replaces it under `lockActs`. */
export async function upsertChecklist(
  trx: Transaction,
  { officeId, actId, items, at, by }: Checklist & { at: Instant; by: UserId },
): Promise<void> {
  const changing = { items: JSON.stringify(items), at, by_user: by }
  await trx
    .insertInto('act_checklists')
    .values({ office_id: officeId, act_id: actId, ...changing })
    .onConflict((conflict) => conflict.columns(['office_id', 'act_id']).doUpdateSet(changing))
    .execute()
}

const toChecklist = ({ office_id, act_id, items, at }: ActChecklistRow): Checklist =>
  Checklist.parse({ officeId: office_id, actId: act_id, items: JSON.parse(items), at })
