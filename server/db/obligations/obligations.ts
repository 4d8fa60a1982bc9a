import { lockUntilCommit } from '#server/db/lock.ts'
import type { ObligationRow } from '#server/db/tables/obligations.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { ObligationId, OfficeId, UserId } from '#server/domain/ids.ts'
import { defaultObligations } from '#server/domain/obligations/default-obligations.ts'
import { MOST_OBLIGATIONS, Obligation } from '#server/domain/obligations/obligation.ts'
import type { Instant } from '#server/domain/time.ts'

/** The office's own, and those of the program that it has not changed; by name, those that are off too. */
export async function listObligations(
  db: Reader,
  office: Pick<Office, 'id' | 'entity'>,
): Promise<Obligation[]> {
  const rows = await db
    .selectFrom('obligations')
    .selectAll()
    .where('office_id', '=', office.id)
    .limit(MOST_OBLIGATIONS)
    .execute()
  const written = rows.map(toObligation)
  const changed = new Set(written.map(({ id }) => id))
  const untouched = defaultObligations(office).filter(({ id }) => !changed.has(id))
  return [...written, ...untouched].toSorted((a, b) => a.name.localeCompare(b.name, 'es-MX'))
}

export const findObligation = async (
  db: Reader,
  office: Pick<Office, 'id' | 'entity'>,
  id: ObligationId,
): Promise<Obligation | undefined> =>
  (await listObligations(db, office)).find((obligation) => obligation.id === id)

/** Serializes changes of an office's obligations and non-working days: two at once give no two obligations one name. */
export const lockObligations = (trx: Transaction, officeId: OfficeId) =>
  lockUntilCommit(trx, `obligations:${officeId}`)

/** Inserts the obligation, or replaces it under `lockObligations`. */
export async function upsertObligation(
  trx: Transaction,
  obligation: Obligation & { at: Instant; by: UserId },
): Promise<void> {
  const { office_id, id, ...changing } = toRow(obligation)
  await trx
    .insertInto('obligations')
    .values({ office_id, id, ...changing })
    .onConflict((conflict) => conflict.columns(['office_id', 'id']).doUpdateSet(changing))
    .execute()
}

const toObligation = ({ office_id, source_day, by_user, term, ...row }: ObligationRow) =>
  Obligation.parse({
    ...row,
    ...{ officeId: office_id, sourceDay: source_day, by: by_user },
    term: JSON.parse(term),
  })

const toRow = ({
  officeId,
  sourceDay,
  by,
  term,
  ...rest
}: Obligation & { at: Instant; by: UserId }): ObligationRow => ({
  ...rest,
  ...{ office_id: officeId, source_day: sourceDay, by_user: by, term: JSON.stringify(term) },
})
