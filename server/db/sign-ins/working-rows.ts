import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Instant } from '#server/domain/time.ts'

/** When rows are over: those that ended at `limit`; attempts only if nothing is blocked at `now`. */
export type Over = { now: Instant; limit: Instant }

/** Transient rows of one kind. Evidence is in other tables. */
export type WorkingRows = {
  /** The keys of some rows that are over, or of the rows to which they belong. */
  list(db: Reader, over: Over, most: number): Promise<string[]>
  /** Deletes rows with these keys that are still over; returns their number. */
  delete(trx: Transaction, keys: readonly string[], over: Over): Promise<number>
}

const attempts: WorkingRows = {
  async list(db, { now, limit }, most) {
    const rows = await db
      .selectFrom('attempts')
      .select('key')
      .where('window_started_at', '<=', limit)
      .where('blocked_until', '<=', now)
      .limit(most)
      .execute()
    return rows.map(({ key }) => key)
  },
  async delete(trx, keys, { now, limit }) {
    const { numDeletedRows } = await trx
      .deleteFrom('attempts')
      .where('key', 'in', keys)
      .where('window_started_at', '<=', limit)
      .where('blocked_until', '<=', now)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
}

const vainAttempts: WorkingRows = {
  async list(db, { limit }, most) {
    const rows = await db
      .selectFrom('vain_attempts')
      .select('key')
      .where('logged_at', '<=', limit)
      .where('attempts', '=', 0)
      .where('warning_at', 'is', null)
      .limit(most)
      .execute()
    return rows.map(({ key }) => key)
  },
  async delete(trx, keys, { limit }) {
    const { numDeletedRows } = await trx
      .deleteFrom('vain_attempts')
      .where('key', 'in', keys)
      .where('logged_at', '<=', limit)
      .where('attempts', '=', 0)
      .where('warning_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
}

/** Tables of rows with an end. */
type ExpiringTable =
  | 'document_stamps'
  | 'kept_requests'
  | 'prepared_signatures'
  | 'presence_challenges'
  | 'sign_ins'
  | 'webauthn_challenges'

function expiring(
  table: ExpiringTable,
  id: 'id' | 'challenge' | 'document_id' = 'id',
): WorkingRows {
  return {
    async list(db, { limit }, most) {
      const rows = await db
        .selectFrom(table)
        .select((eb) => eb.ref(id).as('key'))
        .where('expires_at', '<=', limit)
        .limit(most)
        .execute()
      return rows.map(({ key }) => key)
    },
    async delete(trx, keys, { limit }) {
      const { numDeletedRows } = await trx
        .deleteFrom(table)
        .where(id, 'in', keys)
        .where('expires_at', '<=', limit)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

/** Sessions at once: each has two tokens for every ten minutes in which it was used. */
const SESSIONS_AT_ONCE = 10
/** Most tokens at once. */
const TOKENS_AT_ONCE = 500

/** The tokens of ended sessions. A live one keeps every token, so that the use of a copy is detected. */
const sessionTokens: WorkingRows = {
  async list(db, { limit }) {
    for (const end of ['ended_at', 'expires_at'] as const) {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where('tokens_deleted_at', 'is', null)
        .where(end, '<=', limit)
        .limit(SESSIONS_AT_ONCE)
        .execute()
      if (rows.length > 0) return rows.map(({ id }) => id)
    }
    return []
  },
  async delete(trx, sessions, { now }) {
    const some = trx
      .selectFrom('session_tokens')
      .select('token_hash')
      .where('session_id', 'in', sessions)
      .limit(TOKENS_AT_ONCE)
    const { numDeletedRows } = await trx
      .deleteFrom('session_tokens')
      .where('token_hash', 'in', some)
      .executeTakeFirstOrThrow()
    const deleted = Number(numDeletedRows)
    if (deleted < TOKENS_AT_ONCE)
      await trx
        .updateTable('sessions')
        .set({ tokens_deleted_at: now })
        .where('id', 'in', sessions)
        .execute()
    return deleted
  },
}

/** Everything that is deleted once it is over. */
export const WORKING_ROWS: readonly WorkingRows[] = [
  sessionTokens,
  attempts,
  vainAttempts,
  expiring('sign_ins'),
  expiring('webauthn_challenges'),
  expiring('presence_challenges', 'challenge'),
  expiring('kept_requests'),
  expiring('prepared_signatures'),
  expiring('document_stamps', 'document_id'),
]
