import type { TotpFactorRow } from '#server/db/tables/factors.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { TotpMemory } from '#server/domain/identity/totp.ts'
import { TotpFactor } from '#server/domain/identity/totp-factor.ts'
import type { TotpFactorId, UserId } from '#server/domain/ids.ts'
import { type Instant, seconds } from '#server/domain/time.ts'

/** The user's confirmed (`active`) or unconfirmed (`pending`) app. */
export async function findTotpFactor(
  db: Reader,
  userId: UserId,
  state: 'active' | 'pending',
): Promise<TotpFactor | undefined> {
  const row = await db
    .selectFrom('totp_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', state)
    .executeTakeFirst()
  return row && toFactor(row)
}

/** @throws when the user has one in this state already */
export async function insertTotpFactor(trx: Transaction, factor: TotpFactor): Promise<void> {
  await trx.insertInto('totp_factors').values(toRow(factor)).execute()
}

/**
 * Marks a code as used. Compare-and-swap: false if a code of this or a later time step was used meanwhile, or
 * the app is no longer in this state.
 */
export async function replaceTotpMemory(
  trx: Transaction,
  id: TotpFactorId,
  state: 'active' | 'pending',
  memory: TotpMemory,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_factors')
    .set({ last_step: memory.lastStep, drift_seconds: memory.drift / 1000 })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('last_step', '<', memory.lastStep)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Activates the app. Compare-and-swap: false if it was not `pending`. */
export async function activateTotpFactor(
  trx: Transaction,
  id: TotpFactorId,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_factors')
    .set({ state: 'active', state_since: at, state_by: by })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends the user's apps in this state and erases their secrets; returns their number. */
export async function endTotpFactors(
  trx: Transaction,
  userId: UserId,
  from: 'active' | 'pending',
  to: 'replaced' | 'disabled' | 'removed',
  { at, by }: { at: Instant; by: UserId | null },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_factors')
    .set({ state: to, state_since: at, state_by: by, sealed_secret: new Uint8Array() })
    .where('user_id', '=', userId)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Removes the user's apps, confirmed or not; returns how many were confirmed. */
export async function endTotpFactorsOf(
  trx: Transaction,
  userId: UserId,
  end: { at: Instant; by: UserId | null },
): Promise<number> {
  await endTotpFactors(trx, userId, 'pending', 'removed', end)
  return await endTotpFactors(trx, userId, 'active', 'removed', end)
}

function toFactor(row: TotpFactorRow): TotpFactor {
  return TotpFactor.parse({
    id: row.id,
    userId: row.user_id,
    sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_secret) },
    memory: { lastStep: row.last_step, drift: seconds(row.drift_seconds) },
    createdAt: row.created_at,
    state: row.state,
    stateSince: row.state_since,
    stateBy: row.state_by,
  })
}

function toRow(factor: TotpFactor): TotpFactorRow {
  return {
    id: factor.id,
    user_id: factor.userId,
    key_version: factor.sealed.keyVersion,
    sealed_secret: factor.sealed.bytes,
    last_step: factor.memory.lastStep,
    drift_seconds: factor.memory.drift / 1000,
    created_at: factor.createdAt,
    state: factor.state,
    state_since: factor.stateSince,
    state_by: factor.stateBy,
  }
}
