import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findEntry, replaceEntry } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import { cutOut } from '#server/domain/documents/numbers/number-entry.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { nameOfNumber } from '#server/words/numbers.ts'
import { subjectOfNumber } from './subject-of-number.ts'

export type ExplainNumber = {
  seriesId: NumberSeriesId
  first: number
  /** Equal to `first` for one number. */
  last: number
  /** `NO PASÓ` */
  reason: string
}

/**
 * Says why numbers without a document stay unused, or says it in other words. They are not given out again.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `number-state` if a document has one of them, or if they
 *   are no longer one line of the register
 */
export async function explainNumber(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId, first, last, reason }: ExplainNumber,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'numbers.explain', own, at)
  await db.transaction(async (trx) => {
    await lockNumbers(trx, officeId)
    const series = await findSeries(trx, officeId, seriesId)
    const entry = series && (await findEntry(trx, { officeId, seriesId }, first))
    if (!series || !entry) throw new Problem('not-found', `no number ${first} of ${seriesId}`)
    if (entry.state === 'used' || last < first || last > entry.last)
      throw new Problem('number-state', `${first} of ${seriesId} is ${entry.state}`)
    const isSaid = entry.state === 'unused' && entry.note === reason
    if (isSaid && entry.first === first && entry.last === last) return
    const range = { first, last }
    const explained = { ...entry, ...range, state: 'unused' as const, note: reason, at, by: userId }
    await replaceEntry(trx, entry, [...cutOut(entry, range), explained])
    await appendEvent(trx, {
      actor,
      at,
      action: 'number.explained',
      subject: subjectOfNumber(series, range),
      details: { name: nameOfNumber(series, range), first, last, before: entry.state, reason },
    })
  })
}
