import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

/** A secret that cannot be unsealed. */
export type Unreadable = {
  officeId: OfficeId
  /** The owner of the secret. */
  userId: UserId
  subject: AuditSubject
  /** The row of the secret; it gets one alert. */
  id: string
  keyVersion: number
}

/**
 * Logs that a secret cannot be unsealed and alerts the administrators: its row was changed or moved in the
 * database, or its key is lost.
 */
export async function recordUnreadable(
  db: Database,
  actor: Actor,
  at: Instant,
  { officeId, userId, subject, id, keyVersion }: Unreadable,
): Promise<void> {
  await db.transaction(async (trx) => {
    await raiseAlert(trx, {
      officeId,
      userId: null,
      kind: 'secret-unreadable',
      severity: 'danger',
      subjectKind: 'user',
      subjectId: userId,
      facts: { keyVersion },
      occasion: occasions.secretUnreadable(id),
      at,
    })
    await appendEvent(trx, {
      actor,
      at,
      officeId,
      action: 'secret.unreadable',
      subject,
      result: 'refused',
      details: { keyVersion },
    })
  })
}
