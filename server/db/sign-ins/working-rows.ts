import type { Transaction } from '#server/db/transaction.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Deletes transient rows: tokens of ended sessions, attempt counts, pending sign-ins, challenges, kept forms,
 * prepared signatures. Evidence is in other tables.
 *
 * @param when deletes rows that were over at `limit`
 * @returns the number of deleted rows
 */
export async function deleteWorkingRows(
  trx: Transaction,
  { now, limit }: { now: Instant; limit: Instant },
): Promise<number> {
  const isOver = trx
    .selectFrom('sessions')
    .select('id')
    .where((eb) => eb.or([eb('ended_at', '<=', limit), eb('expires_at', '<=', limit)]))
  const deletions = [
    trx.deleteFrom('session_tokens').where('session_id', 'in', isOver),
    trx
      .deleteFrom('attempts')
      .where('window_started_at', '<=', limit)
      .where('blocked_until', '<=', now),
    trx.deleteFrom('sign_ins').where('expires_at', '<=', limit),
    trx.deleteFrom('webauthn_challenges').where('expires_at', '<=', limit),
    trx.deleteFrom('presence_challenges').where('expires_at', '<=', limit),
    trx.deleteFrom('kept_requests').where('expires_at', '<=', limit),
    trx.deleteFrom('prepared_signatures').where('expires_at', '<=', limit),
  ]
  let deleted = 0
  for (const deletion of deletions)
    deleted += Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)
  return deleted
}
