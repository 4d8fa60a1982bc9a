import { listDueSessions as listRows } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { after, days } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ListDueSessions = { limit: number }

export type DueSession = SigningSession & { isLate: boolean }

const SOON = days(3)

/**
 * Sessions of the office that are overdue or due within three days, earliest deadline first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listDueSessions(
  system: System,
  actor: Actor,
  { limit }: ListDueSessions,
): Promise<DueSession[]> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'signing-sessions.read', own, at)
  const sessions = await listRows(db, { officeId, until: after(at, SOON), limit })
  return sessions.map((session) => ({
    ...session,
    isLate: session.state === 'expired' || (session.deadline !== null && session.deadline <= at),
  }))
}
