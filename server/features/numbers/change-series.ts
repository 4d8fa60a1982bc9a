import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findSeries,
  listSeries,
  lockNumbers,
  upsertSeries,
} from '#server/db/documents/numbers/number-series.ts'
import { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { moveSequence } from './move-sequence.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export const ChangeSeries = z
  .object({
    seriesId: NumberSeriesId,
    name: NumberSeries.shape.name,
    book: NumberSeries.shape.book,
    /** Null leaves a series without a start as it is. */
    next: SeriesNumber.max(9_999_999).nullable(),
    /** Numbers from here on are missing if no document has them; only for the start, `next` if null. */
    countedFrom: SeriesNumber.nullable(),
    /** The `at` and `next` of the series on the screen: numbers that were taken meanwhile are not lost. */
    seen: z.object({ at: Instant.nullable(), next: SeriesNumber.nullable() }),
  })
  .refine(({ next, countedFrom }) => countedFrom === null || next === null || countedFrom <= next)
export type ChangeSeries = z.infer<typeof ChangeSeries>

/**
 * Sets name, book and next number of a series. The first next number starts it. A higher one leaves missing numbers behind; a
 * lower one takes missing numbers back, but never numbers that were given.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `stale-version` if it changed since it was
 *   `seen`; `series-known`, `number-given`
 */
export async function changeSeries(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId, name, book, next, countedFrom, seen }: ChangeSeries,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const subject = { kind: 'number-series', id: seriesId } as const
  const person = await authorizeOrRecord(db, actor, 'number-series.manage', own, at, subject)
  const { officeId, userId } = person
  await db.transaction(async (trx) => {
    await lockNumbers(trx, officeId)
    const series = await findSeries(trx, officeId, seriesId)
    if (!series) throw new Problem('not-found', `no series ${seriesId}`)
    // The form shows the next number: sent back unchanged it moves nothing, also if numbers were taken meanwhile.
    const asked = next === seen.next ? null : next
    if (name === series.name && book === series.book && asked === null) return
    if (series.at !== seen.at || (asked !== null && series.next !== seen.next))
      throw new Problem('stale-version', `${seriesId} is of ${series.at}, next ${series.next}`)
    mustHaveFreeName(await listSeries(trx, officeId), { id: seriesId, name })
    const moved =
      asked === null
        ? series
        : await moveSequence(trx, series, { next: asked, countedFrom }, { at, by: userId })
    await upsertSeries(trx, { ...moved, name, book, at, by: userId })
    await appendEvent(trx, {
      actor,
      at,
      action: 'number-series.changed',
      subject,
      details: {
        ...{ name, book, next: moved.next, nextBefore: series.next },
        ...{ countedFrom: moved.countedFrom },
      },
    })
  })
}
