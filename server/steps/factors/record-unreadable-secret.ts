import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

/** A secret that the vault does not open. */
export type Unreadable = {
  officeId: OfficeId
  /** Whose it is. */
  userId: UserId
  subject: AuditSubject
  /** The row in which it lies: the alert is raised once for it. */
  id: string
  keyVersion: number
}

/**
 * Writes that a secret does not open: it was changed or moved by somebody who can write the database, or
 * its key is lost. The administrators hear of it.
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
