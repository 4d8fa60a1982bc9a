import { appendEvent } from '#server/db/audit/audit-events.ts'
import { spendAttempt } from '#server/db/sign-ins/attempts.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { networkOf } from '#server/domain/identity/network.ts'
import { after, hours, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

const WINDOW = hours(1)
const MOST_REMEMBERED = 5_000

/* Spares the database the question for who was counted by this process already. */
const counted = new WeakMap<System, Map<string, Instant>>()

/** Writes that somebody verified the document: at most one event a document and network an hour. */
export async function countVerification(
  system: System,
  actor: Actor,
  document: Document,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const key = `verified:${document.id}:${networkOf(actor.ip)}`
  const known = counted.get(system) ?? new Map<string, Instant>()
  counted.set(system, known)
  if (at < (known.get(key) ?? 0)) return

  await db.transaction(async (trx) => {
    if (!(await spendAttempt(trx, key, at, { free: 1, window: WINDOW })).allowed) return
    await appendEvent(trx, {
      actor,
      at,
      officeId: document.officeId,
      action: 'document.verified',
      subject: { kind: 'document', id: document.id },
      details: { version: document.version },
    })
  })
  known.delete(key)
  // Shorter than the window: another process may have begun it earlier.
  known.set(key, after(at, (WINDOW / 4) as typeof WINDOW))
  if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value as string)
}
