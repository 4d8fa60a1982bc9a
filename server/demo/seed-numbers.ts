import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { NumberSeriesId } from '#server/domain/ids.ts'
import { ChangeSeries, changeSeries } from '#server/features/numbers/change-series.ts'
import { explainNumber } from '#server/features/numbers/explain-number.ts'
import { readSeries } from '#server/features/numbers/list-series.ts'
import { reserveNumber } from '#server/features/numbers/reserve-number.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import type { System } from '#server/system.ts'
import { actorFor } from './demo-actor.ts'
import { findSample } from './find-sample.ts'

/** Each is set apart once, however often the demo starts. */
const ONCE = {
  reserved: '5d3c3f0e-6f0f-4f43-8a3a-5d0c2f6e9a01',
  notPassed: '5d3c3f0e-6f0f-4f43-8a3a-5d0c2f6e9a02',
}

const NUMBERED = 'Poder general para pleitos y cobranzas'

/**
 * The numbers of the demo office: 4,521 of a deed, 4,520 missing, one that is set apart, one that did not pass, and the next one
 * of a draft. Begun anew for what is missing when an earlier start was interrupted.
 */
export async function seedNumbers(system: System, users: readonly User[]): Promise<void> {
  const notary = actorFor(system, users, 'notaria-titular')
  const clerk = actorFor(system, users, 'auxiliar')
  await startSeries(system, notary, INSTRUMENT_SERIES, {
    next: 4522,
    countedFrom: 4520,
    book: '118',
  })
  await startSeries(system, notary, COLLATION_SERIES, { next: 215, countedFrom: null, book: '3' })
  await reserveNumber(system, clerk, {
    ...{ seriesId: INSTRUMENT_SERIES, once: ONCE.reserved },
    note: 'Donación de la familia Zúñiga Ávila, firma el lunes',
  })
  const notPassed = await reserveNumber(system, clerk, {
    ...{ seriesId: INSTRUMENT_SERIES, once: ONCE.notPassed },
    note: 'Compraventa de un terreno en Xochimilco',
  })
  const range = { seriesId: INSTRUMENT_SERIES, first: notPassed, last: notPassed }
  const reason = 'NO PASÓ: las partes no firmaron a tiempo'
  await explainNumber(system, notary, { ...range, reason })
  const draft = await findSample(system, clerk, NUMBERED)
  if (draft?.state === 'draft' && draft.instrument === null) {
    const asked = { documentId: draft.id, seriesId: INSTRUMENT_SERIES, number: null }
    await takeNumber(system, clerk, asked)
  }
}

async function startSeries(
  system: System,
  by: Actor,
  seriesId: NumberSeriesId,
  start: { next: number; countedFrom: number | null; book: string },
): Promise<void> {
  const { name, at, next } = await readSeries(system, by, { seriesId })
  if (next !== null) return
  const form = { seriesId, name, seen: { at, next }, ...start }
  await changeSeries(system, by, ChangeSeries.parse(form))
}
