import { isAfterCursor } from '#server/db/after-cursor.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { SigningSessionRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { SessionDocument } from '#server/domain/signing/session/ceremony.ts'
import type {
  SigningSession,
  SigningSessionState,
} from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { HOLDING, insertSessionDocuments } from './session-documents.ts'
import { toRow, toSession } from './session-rows.ts'
import { markAwaited } from './signers.ts'

/** The existing sessions by id. */
export async function findSigningSessions(
  db: Reader,
  ids: Iterable<SigningSessionId>,
): Promise<Map<SigningSessionId, SigningSession>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('signing_sessions').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toSession).map((session) => [session.id, session]))
}

export type SigningSessionFilter = {
  officeId: OfficeId
  state?: SigningSessionState | undefined
  createdBy?: UserId | undefined
  behind?: PageCursor<SigningSessionId> | undefined
  limit: number
}

/** Newest first. */
export async function listSigningSessions(
  db: Reader,
  filter: SigningSessionFilter,
): Promise<SigningSession[]> {
  const { officeId, state, createdBy, behind, limit } = filter
  let query = db.selectFrom('signing_sessions').selectAll().where('office_id', '=', officeId)
  if (state) query = query.where('state', '=', state)
  if (createdBy) query = query.where('created_by', '=', createdBy)
  if (behind) query = query.where(isAfterCursor(behind, 'created_at'))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toSession)
}

/** Open sessions whose deadline has passed. */
export async function listOverdueSessions(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<SigningSession[]> {
  const rows = await db
    .selectFrom('signing_sessions')
    .selectAll()
    .where('state', '=', 'open')
    .where('deadline', '<=', now)
    .orderBy('deadline')
    .limit(limit)
    .execute()
  return rows.map(toSession)
}

/** Sessions that hold documents and were due before `until`, earliest deadline first. */
export async function listDueSessions(
  db: Reader,
  { officeId, until, limit }: { officeId: OfficeId; until: Instant; limit: number },
): Promise<SigningSession[]> {
  const due: SigningSessionRow[] = []
  // State by state: with both at once the database would sort all that are due.
  for (const state of HOLDING)
    due.push(
      ...(await db
        .selectFrom('signing_sessions')
        .selectAll()
        .where('office_id', '=', officeId)
        .where('state', '=', state)
        .where('deadline', '<=', until)
        .orderBy('deadline')
        .limit(limit)
        .execute()),
    )
  const first = due.toSorted((a, b) => (a.deadline ?? 0) - (b.deadline ?? 0)).slice(0, limit)
  return first.map(toSession)
}

/** Locks the session until the transaction ends: signing, rejecting and cancelling are serialized. */
export async function lockSigningSession(trx: Transaction, id: SigningSessionId): Promise<void> {
  await lockUntilCommit(trx, `signing-session:${id}`)
}

export async function insertSigningSession(
  trx: Transaction,
  session: SigningSession,
  documents: readonly SessionDocument[],
): Promise<void> {
  await trx.insertInto('signing_sessions').values(toRow(session)).execute()
  await insertSessionDocuments(trx, session.id, documents)
}

/** Compare-and-swap on the state: false if the session is no longer as `seen`. */
export async function replaceSigningSession(
  trx: Transaction,
  seen: Pick<SigningSession, 'state'>,
  next: SigningSession,
): Promise<boolean> {
  const { id, office_id, created_at, created_by, ...changing } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('signing_sessions')
    .set(changing)
    .where('id', '=', next.id)
    .where('state', '=', seen.state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  if (next.state !== seen.state) await markAwaited(trx, next.id)
  return true
}
