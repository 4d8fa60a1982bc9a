import { randomBytes, randomUUID } from 'node:crypto'
import { lockUntilCommit } from '#server/db/lock.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import type { ActivationRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { ACTIVATION_LIFETIME, Activation } from '#server/domain/identity/activation.ts'
import {
  ACTIVATION_CODE_BYTES,
  type ActivationCode,
  activationCodeFrom,
  hashOfActivationCode,
} from '#server/domain/identity/activation-code.ts'
import { ActivationId, type UserId } from '#server/domain/ids.ts'
import { after, type Instant } from '#server/domain/time.ts'

export type NewActivation = {
  /** Null for the link of an installation. */
  userId: UserId | null
  purpose: Activation['purpose']
  /** Null for the system. */
  by: UserId | null
  at: Instant
}

/**
 * Creates an activation link; revokes the user's earlier unused ones. Returns the code, of which only the hash
 * is stored.
 */
export async function insertActivation(
  trx: Transaction,
  { userId, purpose, by, at }: NewActivation,
): Promise<{ id: ActivationId; code: ActivationCode; expiresAt: Instant }> {
  await lockUntilCommit(trx, `activation:${userId ?? 'installation'}`)
  await endActivationsOf(trx, userId, at)
  const id = ActivationId.parse(randomUUID())
  const code = activationCodeFrom(randomBytes(ACTIVATION_CODE_BYTES))
  const expiresAt = after(at, ACTIVATION_LIFETIME)
  await trx
    .insertInto('activations')
    .values({
      id,
      code_hash: hashOfActivationCode(code),
      user_id: userId,
      purpose,
      created_at: at,
      created_by: by,
      expires_at: expiresAt,
      state: 'open',
      state_since: at,
    })
    .execute()
  return { id, code, expiresAt }
}

/** The link of this code while it is valid. Does not consume it, because mail scanners open links. */
export async function findOpenActivation(
  db: Reader,
  code: ActivationCode,
  now: Instant,
): Promise<Activation | undefined> {
  const row = await db
    .selectFrom('activations')
    .selectAll()
    .where('code_hash', '=', hashOfActivationCode(code))
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && toActivation(row)
}

/** The user's newest link, used or not, for administrators. */
export async function findLastActivation(
  db: Reader,
  userId: UserId,
): Promise<Activation | undefined> {
  const row = await db
    .selectFrom('activations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toActivation(row)
}

/** Marks the link as used. False if another request used it or it has expired. */
export async function redeemActivation(
  trx: Transaction,
  id: ActivationId,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('activations')
    .set({ state: 'used', state_since: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  await discardMailAbout(trx, [mailSubjectOf(id)], 'link-over', at)
  return numUpdatedRows === 1n
}

/** Revokes the user's unused links: `null` for those of an installation. */
export async function endActivationsOf(
  trx: Transaction,
  userId: UserId | null,
  at: Instant,
): Promise<void> {
  const ended = await trx
    .updateTable('activations')
    .set({ state: 'ended', state_since: at })
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  const subjects = ended.map(({ id }) => mailSubjectOf(id))
  await discardMailAbout(trx, subjects, 'link-over', at)
}

/** Revokes the unused links that this user made for others; returns their number. */
export async function endActivationsBy(
  trx: Transaction,
  maker: UserId,
  at: Instant,
): Promise<number> {
  const ended = await trx
    .updateTable('activations')
    .set({ state: 'ended', state_since: at })
    .where('created_by', '=', maker)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  const subjects = ended.map(({ id }) => mailSubjectOf(id))
  await discardMailAbout(trx, subjects, 'link-over', at)
  return ended.length
}

/** The `about` of the mail with this link, which is discarded once the link is used or revoked. */
export const mailSubjectOf = (id: string) => `activation:${id}`

function toActivation(row: ActivationRow): Activation {
  return Activation.parse({
    ...row,
    userId: row.user_id,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    stateSince: row.state_since,
  })
}
