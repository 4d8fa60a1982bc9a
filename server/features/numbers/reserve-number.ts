import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findEntryMadeOnce } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import { NumberNote } from '#server/domain/documents/numbers/number-entry.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { holdNumber } from '#server/steps/documents/numbers/hold-number.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { nameOfNumber } from '#server/words/numbers.ts'
import { subjectOfNumber } from './subject-of-number.ts'

export const ReserveNumber = z.object({
  seriesId: NumberSeriesId,
  note: NumberNote,
  /** A UUID made by the page of the form: the same one takes no second number. */
  once: z.uuid(),
})
export type ReserveNumber = z.infer<typeof ReserveNumber>

/**
 * Sets the next number of the series apart for a document that does not exist yet.
 *
 * @returns the number; the same one if the form is sent again
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `series-not-started`
 */
export async function reserveNumber(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId, note, once }: ReserveNumber,
): Promise<number> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'numbers.reserve', own, at)
  const madeOnce = idMadeOnce(userId, once)
  return await db.transaction(async (trx) => {
    await lockNumbers(trx, officeId)
    const before = await findEntryMadeOnce(trx, madeOnce)
    if (before) return before.first
    const series = await findSeries(trx, officeId, seriesId)
    if (!series) throw new Problem('not-found', `no series ${seriesId}`)
    const { next } = series
    if (next === null) throw new Problem('series-not-started', `${seriesId} has no next number`)
    const held = { state: 'reserved', documentId: null, note, once: madeOnce } as const
    await holdNumber(trx, series, next, held, { at, by: userId })
    const range = { first: next, last: next }
    await appendEvent(trx, {
      actor,
      at,
      action: 'number.reserved',
      subject: subjectOfNumber(series, range),
      details: { name: nameOfNumber(series, range), number: next, reason: note },
    })
    return next
  })
}
