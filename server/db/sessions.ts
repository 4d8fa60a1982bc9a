import { Rfc } from '#server/domain/identity/rfc.ts'
import { Role } from '#server/domain/identity/role.ts'
import { Session, type SessionEnd } from '#server/domain/identity/session.ts'
import type { SessionId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import type { SessionRow } from './tables.ts'
import type { Reader, Transaction } from './transaction.ts'

/** A session with all that a request must know about whose it is. */
export type OpenedSession = {
  session: Session
  idle: Duration
  firstName: string
  lastName: string
  rfc: Rfc
  userState: string
  roles: Role[]
}

/** One query, because every request of a signed-in person begins with it. */
export async function findSessionByToken(
  db: Reader,
  tokenHash: Sha256,
): Promise<OpenedSession | undefined> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('offices', 'offices.id', 'sessions.office_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'sessions.user_id')
    .selectAll('sessions')
    .select(['first_name', 'last_name', 'rfc', 'users.state', 'session_idle_ms', 'role'])
    .where('token_hash', '=', tokenHash)
    .orderBy('role')
    .execute()
  const row = rows[0]
  return (
    row && {
      session: toSession(row),
      idle: row.session_idle_ms as Duration,
      firstName: row.first_name,
      lastName: row.last_name,
      rfc: Rfc.parse(row.rfc),
      userState: row.state,
      roles: rows.flatMap(({ role }) => (role === null ? [] : [Role.parse(role)])),
    }
  )
}

export async function findSession(db: Reader, id: SessionId): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSession(row)
}

/** The person's sessions that nobody has ended and that are not past their absolute end, newest first. */
export async function listSessions(db: Reader, userId: UserId, now: Instant): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toSession)
}

export async function insertSession(
  trx: Transaction,
  session: Session,
  tokenHash: Sha256,
): Promise<void> {
  await trx.insertInto('sessions').values(toRow(session, tokenHash)).execute()
}

export async function replaceLastSeen(trx: Transaction, id: SessionId, at: Instant): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ last_seen_at: at })
    .where('id', '=', id)
    .where('last_seen_at', '<', at)
    .execute()
}

/** False when it had already ended. */
export async function endSession(
  trx: Transaction,
  id: SessionId,
  end: { at: Instant; by: UserId; reason: SessionEnd },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ ended_at: end.at, ended_by: end.by, end_reason: end.reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toSession(row: SessionRow): Session {
  return Session.parse({
    ...row,
    userId: row.user_id,
    officeId: row.office_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
    endReason: row.end_reason,
  })
}

function toRow(session: Session, tokenHash: Sha256): SessionRow {
  return {
    id: session.id,
    token_hash: tokenHash,
    user_id: session.userId,
    office_id: session.officeId,
    device: session.device,
    ip: session.ip,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
    ended_at: session.endedAt,
    ended_by: session.endedBy,
    end_reason: session.endReason,
  }
}
