import type { EventQueue } from '#server/db/audit/event-queue.ts'
import type { Instant } from '#server/domain/time.ts'
import type { InvitedGuest } from './find-guest.ts'

/** Logs that a guest viewed the session. */
export async function recordGuestView(
  eventQueue: EventQueue,
  { guest, ceremony }: InvitedGuest,
  at: Instant,
): Promise<void> {
  await eventQueue.append({
    actor: guest,
    at,
    action: 'signing-session.viewed',
    subject: { kind: 'signing-session', id: ceremony.session.id },
  })
}
