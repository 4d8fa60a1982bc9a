import { z } from 'zod'
import { dayOf } from '#server/domain/day.ts'
import type { Instant } from '#server/domain/time.ts'

/** The office's own consecutive number of a document, by year and without gaps: `2026-000123`. */
export const Folio = z
  .string()
  .regex(/^\d{4}-\d{6,}$/)
  .brand<'Folio'>()
export type Folio = z.infer<typeof Folio>

/** @param number counts from 1 within the year */
export function folioOf(year: number, number: number): Folio {
  return Folio.parse(`${year}-${String(number).padStart(6, '0')}`)
}

/** The calendar year of an instant in the office's time zone. */
export function yearOf(instant: Instant, timeZone: string): number {
  return Number(dayOf(instant, timeZone).slice(0, 4))
}
