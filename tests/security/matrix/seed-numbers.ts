import { randomUUID } from 'node:crypto'
import { insertEntries } from '#server/db/documents/numbers/number-entries.ts'
import { upsertSeries } from '#server/db/documents/numbers/number-series.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { NumberSeriesId, type OfficeId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

/** A series of the office's own: those of the program have the same id in each office. */
export async function seedNumbers(
  { db, clock }: System,
  { userId: by }: Person,
  officeId: OfficeId,
) {
  const at = clock.now()
  const seriesId = NumberSeriesId.parse(randomUUID())
  const without = { documentId: null, leftBy: null, note: 'Un motivo', once: null, at, by }
  await db.transaction(async (trx) => {
    await upsertSeries(trx, {
      ...{ id: seriesId, officeId, name: 'Serie de la matriz', next: 3, countedFrom: 1 },
      ...{ book: null, at, by },
    })
    await insertEntries(trx, [
      { officeId, seriesId, first: 1, last: 1, state: 'reserved', ...without },
      { officeId, seriesId, first: 2, last: 2, state: 'unused', ...without },
    ])
  })
  return {
    ...{ series: seriesId as string, seriesSeenAt: at as number },
    ...{ reservedNumber: `${seriesId}/1`, unusedNumber: `${seriesId}/2` },
  }
}
