import { z } from 'zod'
import type { KeptRequestRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { KeptRequestId, SessionId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

const Purpose = z.enum(['step-up', 'sign-in'])

/** A form kept until its sender has stepped up, or until its user has signed in again. */
export type KeptRequest = {
  id: KeptRequestId
  purpose: z.infer<typeof Purpose>
  /** With which it came. For a step-up, only this session may resume it. */
  sessionId: SessionId
  /** Who alone may see it after the sign-in; null for a step-up. */
  userId: UserId | null
  /** Includes the query: `/dashboard/users/new?from=list`. */
  path: string
  contentType: string
  sealed: { keyVersion: number; bytes: Uint8Array }
  createdAt: Instant
  expiresAt: Instant
  usedAt: Instant | null
}

/** The vault's place name for the body of this request. */
export const placeOfBody = (id: KeptRequestId) => `kept_requests.sealed_body:${id}`

export async function insertKeptRequest(trx: Transaction, request: KeptRequest): Promise<void> {
  await trx.insertInto('kept_requests').values(toRow(request)).execute()
}

/** Includes a resumed one until it expires. */
export async function findKeptRequest(
  db: Reader,
  id: KeptRequestId,
  now: Instant,
): Promise<KeptRequest | undefined> {
  const row = await db
    .selectFrom('kept_requests')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && toKeptRequest(row)
}

/** Number of unexpired forms that wait for a step-up of this session. */
export async function countKeptRequests(
  db: Reader,
  sessionId: SessionId,
  now: Instant,
): Promise<number> {
  const { waiting } = await db
    .selectFrom('kept_requests')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('session_id', '=', sessionId)
    .where('purpose', '=', 'step-up')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return waiting
}

/** Number of unexpired forms that wait for a sign-in of this user. */
export async function countKeptForms(db: Reader, userId: UserId, now: Instant): Promise<number> {
  const { waiting } = await db
    .selectFrom('kept_requests')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return waiting
}

/** Marks it as used and erases its body: true for one caller only. */
export async function useKeptRequest(
  trx: Transaction,
  id: KeptRequestId,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('kept_requests')
    .set({ used_at: at, sealed_body: new Uint8Array() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes expired forms. */
export async function deleteExpiredKeptRequests(trx: Transaction, at: Instant): Promise<void> {
  await trx.deleteFrom('kept_requests').where('expires_at', '<=', at).execute()
}

function toRow(request: KeptRequest): KeptRequestRow {
  return {
    id: request.id,
    purpose: request.purpose,
    session_id: request.sessionId,
    user_id: request.userId,
    path: request.path,
    content_type: request.contentType,
    key_version: request.sealed.keyVersion,
    sealed_body: request.sealed.bytes,
    created_at: request.createdAt,
    expires_at: request.expiresAt,
    used_at: request.usedAt,
  }
}

function toKeptRequest(row: KeptRequestRow): KeptRequest {
  return {
    id: KeptRequestId.parse(row.id),
    purpose: Purpose.parse(row.purpose),
    sessionId: SessionId.parse(row.session_id),
    userId: row.user_id === null ? null : UserId.parse(row.user_id),
    path: row.path,
    contentType: row.content_type,
    sealed: { keyVersion: row.key_version, bytes: new Uint8Array(row.sealed_body) },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }
}
