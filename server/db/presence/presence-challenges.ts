import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Instant } from '#server/domain/time.ts'

/** The commitment behind a presence challenge. */
export type PresenceCommitment = {
  /** Refers to `webauthn_challenges`, which stores its user and whether it was used. */
  challenge: string
  nonce: Uint8Array
  /** Canonical. */
  list: Uint8Array
  expiresAt: Instant
}

export async function findPresenceCommitment(
  db: Reader,
  challenge: string,
): Promise<PresenceCommitment | undefined> {
  const row = await db
    .selectFrom('presence_challenges')
    .selectAll()
    .where('challenge', '=', challenge)
    .executeTakeFirst()
  return (
    row && {
      challenge: row.challenge,
      nonce: Uint8Array.from(row.nonce),
      list: Uint8Array.from(row.list),
      expiresAt: row.expires_at,
    }
  )
}

/** Also deletes expired ones. */
export async function insertPresenceCommitment(
  trx: Transaction,
  { challenge, nonce, list, expiresAt }: PresenceCommitment,
  now: Instant,
): Promise<void> {
  await trx.deleteFrom('presence_challenges').where('expires_at', '<=', now).execute()
  await trx
    .insertInto('presence_challenges')
    .values({ challenge, nonce, list, expires_at: expiresAt })
    .execute()
}
