import { findHighestUsed } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, listSeries as listRows } from '#server/db/documents/numbers/number-series.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * The series of the office: those of the program first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listSeries(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<NumberSeries[]> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, clock.now())
  return await listRows(db, officeId)
}

export type ReadSeries = NumberSeries & {
  /** The highest number that a document has. */
  highest: number | null
}

/**
 * A series of the office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readSeries(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId }: { seriesId: NumberSeriesId },
): Promise<ReadSeries> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'numbers.read', own, clock.now())
  const series = await findSeries(db, officeId, seriesId)
  if (!series) throw new Problem('not-found', `no series ${seriesId}`)
  const highest = await findHighestUsed(db, { officeId, seriesId })
  return { ...series, highest: highest ?? null }
}
