import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { Instant } from '#server/domain/time.ts'
import type { InvitedGuest } from './find-guest.ts'

/** Logs that a guest viewed the session. */
export async function recordGuestView(
  db: Database,
  { guest, ceremony }: InvitedGuest,
  at: Instant,
): Promise<void> {
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: guest,
      at,
      action: 'signing-session.viewed',
      subject: { kind: 'signing-session', id: ceremony.session.id },
    }),
  )
}
