import { sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import type { CountedConstancia } from '#server/domain/reports/constancia-counts.ts'
import { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import type { Stretch, TimedRow } from './stretch.ts'

/** What reports count of constancias, in the order of their requests. */
export async function listRequestedConstancias(
  db: Reader,
  { officeId, from, to, behind, limit }: Stretch,
): Promise<(TimedRow & CountedConstancia)[]> {
  const query = db
    .selectFrom('constancias')
    .select(['id', 'state', 'requested_at', 'cost_cents'])
    .where('office_id', '=', officeId)
    .where('requested_at', '>=', behind?.at ?? from)
    .where('requested_at', '<=', to)
    .orderBy('requested_at')
    .orderBy('id')
    .limit(limit)
  const rows = await (behind
    ? query.where(sql<boolean>`(requested_at, id) > (${behind.at}, ${behind.id})`)
    : query
  ).execute()
  return rows.map(({ id, state, requested_at: at, cost_cents: cost }) => ({
    ...{ id, at, state: ConstanciaState.parse(state), requestedAt: at, cost },
  }))
}
