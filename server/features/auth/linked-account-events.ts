import type { NewEvent } from '#server/db/audit/audit-events.ts'
import { listLinkedAccounts } from '#server/db/people/linked-accounts.ts'
import { findUsers } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Anonymous, Origin } from '#server/domain/identity/actor.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The origin of a request alone, for the log of an office that must not learn about the account in another one. */
export const originOf = ({ ip, device, requestId, browser }: Origin): Anonymous => ({
  ...{ kind: 'anonymous', ip, device, requestId, browser },
})

type Ended = {
  /** For the logs of the other offices, which do not learn why. */
  events: (NewEvent & { officeId: OfficeId })[]
  sessions: number
}

/**
 * Ends what a switch from this account may have opened: the sessions and pending sign-ins of the person's accounts in
 * other offices. Call before the links end, and after the account's own sessions ended: a switch that runs meanwhile
 * has ended one of them. Log the events.
 */
export async function endLinkedSessions(
  trx: Transaction,
  userId: UserId,
  origin: Origin,
  at: Instant,
): Promise<Ended> {
  const ended: Ended = { events: [], sessions: 0 }
  const users = await findUsers(trx, await listLinkedAccounts(trx, userId))
  for (const { id, officeId } of users.values()) {
    await endSignInsOf(trx, id, at)
    const reason = 'ended-by-user'
    const sessions = await endSessionsOf(trx, id, { at, by: id, reason })
    if (sessions === 0) continue
    ended.sessions += sessions
    ended.events.push({
      ...{ actor: originOf(origin), at, officeId, action: 'session.ended' },
      subject: { kind: 'user', id },
      details: { reason, sessions },
    })
  }
  return ended
}
