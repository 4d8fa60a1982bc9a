import { NumberSeriesId } from '#server/domain/ids.ts'

/** The series of the program have the same id in each office. */
export const INSTRUMENT_SERIES = NumberSeriesId.parse('7d0b4f0a-5f4e-4a43-9b53-0f5a3f6f8a01')
export const COLLATION_SERIES = NumberSeriesId.parse('7d0b4f0a-5f4e-4a43-9b53-0f5a3f6f8a02')
