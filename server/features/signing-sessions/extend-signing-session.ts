import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceLinkExpiry } from '#server/db/signing-sessions/signing-links.ts'
import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { expiryOfLink } from '#server/domain/signing/session/signing-link.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { notifyNewTurns } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'
import { mustBeAhead } from './session-data.ts'

export type ExtendSigningSession = {
  signingSessionId: SigningSessionId
  /** Null for no deadline. */
  deadline: Instant | null
}

/**
 * Changes the deadline of a session and of the links of its pending signers. Reopens an expired session and
 * notifies the signers whose turn it is.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-deadline`, `session-state`
 */
export async function extendSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, deadline }: ExtendSigningSession,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findManagedSession(system, actor, id, at)
  mustBeAhead(deadline, at)
  await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const { session } = ceremony
    if (session.state !== 'open' && session.state !== 'expired')
      throw new Problem('session-state', `${id} is ${session.state}`)
    const wasExpired = session.state === 'expired'
    const reopened = { state: 'open', stateSince: at, stateBy: person.userId } as const
    const next = { ...session, deadline, ...(wasExpired && reopened) }
    if (!(await replaceSigningSession(trx, session, next)))
      throw new Problem('session-state', `${id} moved on`)
    const waiting = ceremony.signers.filter(({ state }) => state === 'pending').map(({ id }) => id)
    await replaceLinkExpiry(trx, waiting, expiryOfLink(at, deadline))
    await resolveAlertsAbout(trx, matters.sessionLate(id), { at, by: person.userId })
    if (wasExpired) await notifyNewTurns(trx, system, undefined, { ...ceremony, session: next }, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.extended',
      subject,
      details: { deadline: deadline === null ? null : toTimestamp(deadline) },
    })
  })
}
