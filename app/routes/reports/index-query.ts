import { z } from 'zod'
import { numberIn } from '#server/domain/documents/numbers/series-number.ts'
import { ReadInstrumentIndex } from '#server/features/reports/instrument-index.ts'

/** A number as people write it: `4,521`. */
const WrittenNumber = z.string().transform(numberIn).optional().catch(undefined)

/** The query parameters; invalid ones are ignored. */
export const IndexQuery = z.object({
  series: ReadInstrumentIndex.shape.seriesId.catch(undefined),
  first: WrittenNumber,
  last: WrittenNumber,
  behind: WrittenNumber,
  from: ReadInstrumentIndex.shape.from.catch(undefined),
  to: ReadInstrumentIndex.shape.to.catch(undefined),
})
