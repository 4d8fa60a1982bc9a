import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { ProviderFailuresRow } from '#server/db/tables/proofs.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { before, type Instant } from '#server/domain/time.ts'
import {
  FAILURES_APART,
  type ProviderFailures,
} from '#server/domain/timestamp/provider-failures.ts'

/** The failures in a row of those of these providers whose last request failed. */
export async function listProviderFailures(
  db: Reader,
  providers: readonly ServiceProviderId[],
): Promise<ProviderFailures[]> {
  const rows = await inChunks(providers, (chunk) =>
    db.selectFrom('provider_failures').selectAll().where('provider_id', 'in', chunk).execute(),
  )
  return rows.map(toFailures)
}

/** Counts a failure; undefined if it counts as one with the last. */
export async function countProviderFailure(
  trx: Transaction,
  id: ServiceProviderId,
  at: Instant,
): Promise<ProviderFailures | undefined> {
  const row = await trx
    .insertInto('provider_failures')
    .values({ provider_id: id, failures: 1, since: at, last_at: at })
    .onConflict((conflict) =>
      conflict
        .column('provider_id')
        .doUpdateSet({ failures: sql`provider_failures.failures + 1`, last_at: at })
        .where('provider_failures.last_at', '<=', before(at, FAILURES_APART)),
    )
    .returningAll()
    .executeTakeFirst()
  return row && toFailures(row)
}

/** The next failure is the first one again. */
export async function clearProviderFailures(
  trx: Transaction,
  id: ServiceProviderId,
): Promise<void> {
  await trx.deleteFrom('provider_failures').where('provider_id', '=', id).execute()
}

const toFailures = (row: ProviderFailuresRow): ProviderFailures => ({
  providerId: ServiceProviderId.parse(row.provider_id),
  count: Number(row.failures),
  since: row.since,
  lastAt: row.last_at,
})
