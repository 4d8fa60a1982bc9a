import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { after, hours, type Instant, minutes } from '#server/domain/time.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import { consumeAttempt } from '#server/steps/sign-ins/consume-attempt.ts'
import type { System } from '#server/system.ts'

const WINDOW = hours(1)

/** Until when a document and network need not be counted again; saves a database query. */
const COUNTED_UNTIL: CacheOf<Instant> = { name: 'counted-verifications', capacity: 5_000 }

/** Logs that the document was verified, at most once per document, network and hour. */
export async function countVerification(
  system: Pick<System, 'db' | 'clock' | 'memory'>,
  actor: Actor,
  document: Document,
): Promise<void> {
  const { db, clock, memory } = system
  const at = clock.now()
  const key = throttleKeys.verifiedDocument(document.id, actor.ip)
  const countedUntil = memory.cache(COUNTED_UNTIL)
  if (at < (countedUntil.find(key) ?? 0)) return

  await db.transaction(async (trx) => {
    if (!(await consumeAttempt(trx, key, at, { free: 1, window: WINDOW })).allowed) return
    await appendEvent(trx, {
      actor,
      at,
      officeId: document.officeId,
      action: 'document.verified',
      subject: { kind: 'document', id: document.id },
      details: { version: document.version },
    })
  })
  // Shorter than the hour: another process may have started it earlier.
  countedUntil.keep(key, after(at, minutes(15)))
}
