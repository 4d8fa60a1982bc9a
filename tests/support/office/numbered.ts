import { listEntriesIn } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { NumberSeriesId, OfficeId } from '#server/domain/ids.ts'
import { ChangeSeries, changeSeries } from '#server/features/numbers/change-series.ts'
import type { System } from '#server/system.ts'

/** Starts a series, or lets it go on with another number, as the form does. */
export async function moveSeries(
  system: System,
  by: Person,
  next: number,
  {
    seriesId = INSTRUMENT_SERIES,
    countedFrom = null,
    book = null,
  }: { seriesId?: NumberSeriesId; countedFrom?: number | null; book?: string | null } = {},
): Promise<void> {
  const series = await findSeries(system.db, by.officeId, seriesId)
  if (!series) throw new Error(`no series ${seriesId}`)
  const { name, at } = series
  const seen = { at, next: series.next }
  await changeSeries(
    system,
    by,
    ChangeSeries.parse({ seriesId, name, book, next, countedFrom, seen }),
  )
}

/** The lines of a series: `4530 used`, `4531-4533 missing`. */
export async function linesOf(
  { db }: Pick<System, 'db'>,
  officeId: OfficeId,
  seriesId = INSTRUMENT_SERIES,
): Promise<string[]> {
  const entries = await listEntriesIn(
    db,
    { officeId, seriesId },
    { first: 1, last: 99_999_999 },
    500,
  )
  return entries.map(({ first, last, state }) =>
    first === last ? `${first} ${state}` : `${first}-${last} ${state}`,
  )
}

export const nextOf = async (
  { db }: Pick<System, 'db'>,
  officeId: OfficeId,
  seriesId = INSTRUMENT_SERIES,
) => (await findSeries(db, officeId, seriesId))?.next
