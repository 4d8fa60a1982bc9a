import { countUnsigned } from '#server/db/audit/logs.ts'
import { findOldestDue } from '#server/db/mail/outbox-sending.ts'
import { type Duration, milliseconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** For the metrics of a process. */
type Figures = {
  /** How long the mail that is due longest has been due. */
  outboxAge: Duration
  /** Events that no checkpoint covers yet. */
  unsignedEvents: number
}

/** What the metrics of a process say about the database that it shares with others. */
export async function readFigures({ db, clock }: Pick<System, 'db' | 'clock'>): Promise<Figures> {
  const now = clock.now()
  const oldest = await findOldestDue(db, now)
  const unsignedEvents = await countUnsigned(db)
  const outboxAge: Duration = milliseconds(oldest === undefined ? 0 : now - oldest)
  return { outboxAge, unsignedEvents }
}
