import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  listSeries,
  lockNumbers,
  upsertSeries,
} from '#server/db/documents/numbers/number-series.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import { MOST_SERIES, NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export const AddSeries = z.object({
  name: NumberSeries.shape.name,
  /** A UUID made by the page of the form: the same one adds no second series. */
  once: z.uuid(),
})
export type AddSeries = z.infer<typeof AddSeries>

/**
 * Adds a series for a register of its own.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `series-known`, `too-many-series`
 */
export async function addSeries(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { name, once }: AddSeries,
): Promise<NumberSeriesId> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'number-series.manage', own, at)
  const { officeId, userId } = person
  const id = NumberSeriesId.parse(idMadeOnce(userId, once))
  await db.transaction(async (trx) => {
    await lockNumbers(trx, officeId)
    const others = await listSeries(trx, officeId)
    if (others.some((other) => other.id === id)) return
    if (others.length >= MOST_SERIES) throw new Problem('too-many-series', `${others.length}`)
    mustHaveFreeName(others, { id, name })
    const empty = { next: null, countedFrom: null, book: null }
    await upsertSeries(trx, { id, officeId, name, ...empty, at, by: userId })
    const subject = { kind: 'number-series', id } as const
    await appendEvent(trx, { actor, at, action: 'number-series.added', subject, details: { name } })
  })
  return id
}
