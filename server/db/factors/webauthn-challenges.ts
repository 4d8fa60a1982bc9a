import type { WebauthnChallengeRow } from '#server/db/tables/factors.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { WebauthnChallenge } from '#server/domain/identity/webauthn-challenge.ts'
import type { WebauthnChallengeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Includes used challenges: the client gets the same answer as for an unknown one, but the log records the
 * difference.
 */
export async function findWebauthnChallenge(
  db: Reader,
  challenge: string,
): Promise<WebauthnChallenge | undefined> {
  const row = await db
    .selectFrom('webauthn_challenges')
    .selectAll()
    .where('challenge', '=', challenge)
    .executeTakeFirst()
  return row && toChallenge(row)
}

/** Also deletes expired challenges. */
export async function insertWebauthnChallenge(
  trx: Transaction,
  challenge: WebauthnChallenge,
): Promise<void> {
  await trx
    .deleteFrom('webauthn_challenges')
    .where('expires_at', '<=', challenge.createdAt)
    .execute()
  await trx.insertInto('webauthn_challenges').values(toRow(challenge)).execute()
}

/** Marks the challenge as used: false if it was used or has expired. */
export async function endWebauthnChallenge(
  trx: Transaction,
  id: WebauthnChallengeId,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webauthn_challenges')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toChallenge(row: WebauthnChallengeRow): WebauthnChallenge {
  return WebauthnChallenge.parse({
    ...row,
    userId: row.user_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  })
}

function toRow(challenge: WebauthnChallenge): WebauthnChallengeRow {
  return {
    id: challenge.id,
    challenge: challenge.challenge,
    purpose: challenge.purpose,
    bearer: challenge.bearer,
    user_id: challenge.userId,
    created_at: challenge.createdAt,
    expires_at: challenge.expiresAt,
    used_at: challenge.usedAt,
  }
}
