import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { type Account, newSession } from '#tests/support/office/sessions.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** The tables with rows that are deleted once they are over, but session tokens. */
const EXPIRING = [
  'attempts',
  'kept_requests',
  'presence_challenges',
  'sign_ins',
  'webauthn_challenges',
] as const

/**
 * Adds this many rows to each table of working rows, and a session of the user with two tokens. All are over within a day.
 *
 * @returns the number of rows that are deleted afterwards
 */
export async function addWorkingRows(
  system: TestSystem,
  { user, office }: Account,
  count: number,
): Promise<number> {
  const { session } = await newSession(system, { user, office })
  const at = system.clock.now()
  const ids = Array.from({ length: count }, () => randomUUID())
  const expiring = { created_at: at, expires_at: at }
  const of = { user_id: user.id, office_id: office.id }
  await system.db.transaction(async (trx) => {
    for (const id of ids) {
      await trx
        .insertInto('attempts')
        .values({ key: id, window_started_at: at, attempts: 1, refused: 0, blocked_until: at })
        .execute()
      await trx
        .insertInto('sign_ins')
        .values({
          ...{ id, ...of, ...expiring, token_hash: sha256(id), attempts: 0 },
          ...{ state: 'open', state_since: at },
        })
        .execute()
      await trx
        .insertInto('webauthn_challenges')
        .values({
          ...{ id, challenge: id, purpose: 'sign-in', bearer: id, user_id: user.id },
          ...{ ...expiring, used_at: null },
        })
        .execute()
      await trx
        .insertInto('presence_challenges')
        .values({
          challenge: id,
          nonce: new Uint8Array(1),
          list: new Uint8Array(1),
          expires_at: at,
        })
        .execute()
      await trx
        .insertInto('kept_requests')
        .values({
          ...{ id, session_id: session.id, path: '/', content_type: 'text/plain' },
          ...{ purpose: 'step-up', user_id: null },
          ...{ key_version: 1, sealed_body: new Uint8Array(1), ...expiring, used_at: null },
        })
        .execute()
    }
  })
  return EXPIRING.length * count + 2
}

/** Lets all rows of these tables begin or end now, but session tokens. */
export async function renewWorkingRows({ db, clock }: TestSystem): Promise<void> {
  const at = clock.now()
  await db.transaction(async (trx) => {
    for (const table of EXPIRING)
      await (table === 'attempts'
        ? trx.updateTable(table).set({ window_started_at: at }).execute()
        : trx.updateTable(table).set({ expires_at: at }).execute())
  })
}

/** How many working rows are left, of all kinds. */
export async function countWorkingRows(db: Database): Promise<number> {
  let left = 0
  for (const table of [...EXPIRING, 'session_tokens'] as const) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    left += Number(count)
  }
  return left
}
