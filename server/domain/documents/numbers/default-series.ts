import type { OfficeId } from '#server/domain/ids.ts'
import type { NumberSeries } from './number-series.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from './series-ids.ts'

/** What every office has. A collation is recorded in a register of its own. */
export const defaultSeries = (officeId: OfficeId): NumberSeries[] =>
  [
    { id: INSTRUMENT_SERIES, name: 'Escrituras y actas' },
    { id: COLLATION_SERIES, name: 'Libro de registro de cotejos' },
  ].map((series) => ({ ...series, officeId, next: null, countedFrom: null, book: null, at: null }))
