import type { SigningSessionRow } from '#server/db/tables/signing.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'

export function toSession(row: SigningSessionRow): SigningSession {
  return SigningSession.parse({
    ...row,
    act: row.act === null ? null : JSON.parse(row.act),
    officeId: row.office_id,
    stateSince: row.state_since,
    stateBy: row.state_by,
    stateReason: row.state_reason,
    createdAt: row.created_at,
    createdBy: row.created_by,
  })
}

export const toRow = (session: SigningSession): SigningSessionRow => ({
  id: session.id,
  office_id: session.officeId,
  title: session.title,
  message: session.message,
  deadline: session.deadline,
  state: session.state,
  state_since: session.stateSince,
  state_by: session.stateBy,
  state_reason: session.stateReason,
  created_at: session.createdAt,
  created_by: session.createdBy,
  act: session.act && JSON.stringify(session.act),
})
