import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findEntry, replaceEntry } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { nameOfNumber } from '#server/words/numbers.ts'
import { subjectOfNumber } from './subject-of-number.ts'

export type ReopenNumber = { seriesId: NumberSeriesId; number: number }

/**
 * Takes back a reason that was wrong: documents may take the numbers of this line by hand. Of a line without a reason it
 * changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function reopenNumber(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId, number }: ReopenNumber,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'numbers.explain', own, at)
  await db.transaction(async (trx) => {
    await lockNumbers(trx, officeId)
    const series = await findSeries(trx, officeId, seriesId)
    const entry = series && (await findEntry(trx, { officeId, seriesId }, number))
    if (!series || !entry) throw new Problem('not-found', `no number ${number} of ${seriesId}`)
    if (entry.state !== 'unused') return
    const state = entry.leftBy === null ? 'missing' : 'left'
    await replaceEntry(trx, entry, [{ ...entry, state, note: null, at, by: userId }])
    await appendEvent(trx, {
      actor,
      at,
      action: 'number.reopened',
      subject: subjectOfNumber(series, entry),
      details: { name: nameOfNumber(series, entry), first: entry.first, last: entry.last },
    })
  })
}
