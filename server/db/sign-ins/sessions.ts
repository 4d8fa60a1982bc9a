import { lockUntilCommit } from '#server/db/lock.ts'
import type { SessionRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Duty, Origin, Person } from '#server/domain/identity/actor.ts'
import { dutyOf } from '#server/domain/identity/duty.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { Role } from '#server/domain/identity/role.ts'
import { Session, type SessionEnd } from '#server/domain/identity/session.ts'
import type { SessionId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Duration, Instant } from '#server/domain/time.ts'

/** A session with everything that a request must know about its user. */
export type OpenedSession = {
  session: Session
  idle: Duration
  firstName: string
  lastName: string
  rfc: Rfc
  userState: string
  roles: Role[]
  duty(now: Instant): Duty | null
}

/** A session found by access token, with the token's validity. */
export type AccessedSession = OpenedSession & {
  access: { expiresAt: Instant; usedAt: Instant | null }
}

/** One query, because every authenticated request starts with it. */
export async function findSessionByAccess(
  db: Reader,
  tokenHash: Sha256,
): Promise<AccessedSession | undefined> {
  const rows = await opened(db)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.id')
    .select([
      'session_tokens.expires_at as access_expires_at',
      'session_tokens.used_at as access_used_at',
    ])
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'access')
    .execute()
  const row = rows[0]
  const access = row && {
    expiresAt: row.access_expires_at,
    usedAt: row.access_used_at,
  }
  return row && access && { ...toOpened(row, rows), access }
}

export async function findOpenedSession(
  db: Reader,
  id: SessionId,
): Promise<OpenedSession | undefined> {
  const rows = await opened(db).where('sessions.id', '=', id).execute()
  const row = rows[0]
  return row && toOpened(row, rows)
}

/** The actor of a request in this session. */
export function personOf(opened: OpenedSession, origin: Origin, now: Instant): Person {
  const { session, firstName, lastName, rfc, roles } = opened
  const { ip, device, requestId, browser } = origin
  return {
    kind: 'person',
    userId: session.userId,
    officeId: session.officeId,
    sessionId: session.id,
    roles,
    firstName,
    lastName,
    rfc,
    ip,
    device,
    requestId,
    browser,
    signedInAt: session.createdAt,
    provenAt: session.provenAt,
    secondFactorAt: session.secondFactorAt,
    duty: opened.duty(now),
  }
}

export async function findSession(db: Reader, id: SessionId): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSession(row)
}

/** The most sessions of one user that are listed. */
export const MOST_LISTED_SESSIONS = 200

/** The user's newest sessions that are neither ended nor past their absolute lifetime, newest first. */
export async function listSessions(db: Reader, userId: UserId, now: Instant): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_LISTED_SESSIONS)
    .execute()
  return rows.map(toSession)
}

/**
 * Serializes token replacement and ending of this user's sessions until the transaction ends. Take it before
 * the first row.
 */
export const lockSessionsOf = (trx: Transaction, userId: UserId) =>
  lockUntilCommit(trx, `sessions-of:${userId}`)

export async function insertSession(trx: Transaction, session: Session): Promise<void> {
  await trx.insertInto('sessions').values(toRow(session)).execute()
}

/** Compare-and-swap: false if the session has ended or is not at the previous generation. */
export async function replaceGeneration(
  trx: Transaction,
  id: SessionId,
  generation: number,
  proof: Partial<Pick<SessionRow, 'proven_at' | 'second_factor' | 'second_factor_at'>> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ generation, ...proof })
    .where('id', '=', id)
    .where('generation', '=', generation - 1)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function replaceLastSeen(trx: Transaction, id: SessionId, at: Instant): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ last_seen_at: at })
    .where('id', '=', id)
    .where('last_seen_at', '<', at)
    .execute()
}

/** Who ended a session, why and when; `by` is null for the system. */
export type Ending = { at: Instant; by: UserId | null; reason: SessionEnd }

/** Returns false if it had ended already. */
export async function endSession(trx: Transaction, id: SessionId, end: Ending): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ ended_at: end.at, ended_by: end.by, end_reason: end.reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends the user's live sessions; returns their number. */
export async function endSessionsOf(
  trx: Transaction,
  userId: UserId,
  end: Ending & { except?: SessionId },
): Promise<number> {
  await lockSessionsOf(trx, userId)
  let ending = trx
    .updateTable('sessions')
    .set({ ended_at: end.at, ended_by: end.by, end_reason: end.reason })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    // Past its absolute lifetime it is over already.
    .where('expires_at', '>', end.at)
  if (end.except) ending = ending.where('id', '!=', end.except)
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

function opened(db: Reader) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('offices', 'offices.id', 'sessions.office_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'sessions.user_id')
    .selectAll('sessions')
    .select([
      'first_name',
      'last_name',
      'rfc',
      'users.state as user_state',
      'offices.state as office_state',
      'users.state_since as user_state_since',
      'password_change_since',
      'session_idle_ms',
      'second_factor_grace_ms',
      'role',
    ])
    .select(({ selectFrom }) => [
      selectFrom('totp_factors')
        .select('totp_factors.id')
        .whereRef('totp_factors.user_id', '=', 'users.id')
        .where('totp_factors.state', '=', 'active')
        .limit(1)
        .as('totp_factor'),
      selectFrom('webauthn_credentials')
        .select('webauthn_credentials.id')
        .whereRef('webauthn_credentials.user_id', '=', 'users.id')
        .where('webauthn_credentials.state', '!=', 'removed')
        .limit(1)
        .as('webauthn_credential'),
    ])
    .orderBy('role')
}

type OpenedRow = Awaited<ReturnType<ReturnType<typeof opened>['execute']>>[number]

function toOpened(row: OpenedRow, rows: readonly OpenedRow[]): OpenedSession {
  const facts = {
    passwordChangeSince: row.password_change_since,
    activeSince: row.user_state_since,
    secondFactorGrace: row.second_factor_grace_ms,
    hasSecondFactor: (row.totp_factor ?? row.webauthn_credential) !== null,
  }
  return {
    session: toSession(row),
    idle: row.session_idle_ms,
    firstName: row.first_name,
    lastName: row.last_name,
    rfc: Rfc.parse(row.rfc),
    // The users of a suspended office are out as if each of them were suspended.
    userState: row.office_state === 'suspended' ? 'suspended' : row.user_state,
    roles: rows.flatMap(({ role }) => (role === null ? [] : [Role.parse(role)])),
    duty: (now) => dutyOf(facts, now),
  }
}

function toSession(row: SessionRow): Session {
  return Session.parse({
    ...row,
    userId: row.user_id,
    officeId: row.office_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    provenAt: row.proven_at,
    secondFactor: row.second_factor,
    secondFactorAt: row.second_factor_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
    endReason: row.end_reason,
  })
}

function toRow(session: Session): SessionRow {
  return {
    id: session.id,
    user_id: session.userId,
    office_id: session.officeId,
    device: session.device,
    ip: session.ip,
    browser: session.browser,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
    generation: session.generation,
    proven_at: session.provenAt,
    second_factor: session.secondFactor,
    second_factor_at: session.secondFactorAt,
    ended_at: session.endedAt,
    ended_by: session.endedBy,
    end_reason: session.endReason,
    tokens_deleted_at: null,
  }
}
