import { z } from 'zod'
import { isCalendarDay } from './calendar-day.ts'

/**
 * The CURP, the population register's 18-character key. A wrong check digit is a warning (`hasCurpCheckDigit`),
 * not an error.
 *
 * @see RENAPO, Instructivo normativo para la asignación de la CURP
 */
export const Curp = z
  .string()
  .transform((text) => text.normalize('NFC').trim().toUpperCase())
  .pipe(
    z
      .string()
      .regex(
        /^[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX](?:AS|BC|BS|CC|CL|CM|CS|CH|DF|DG|GT|GR|HG|JC|MC|MN|MS|NT|NL|OC|PL|QT|QR|SP|SL|SR|TC|TL|TS|VZ|YN|ZS|NE)[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z]\d$/,
      )
      .refine((curp) => isCalendarDay(curp.slice(4, 10)), 'no such day'),
  )
  .brand<'Curp'>()
export type Curp = z.infer<typeof Curp>

const ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** Whether the check digit is correct. */
export function hasCurpCheckDigit(curp: Curp): boolean {
  const body = [...curp.slice(0, -1)]
  const sum = body.reduce((sum, char, i) => sum + ALPHABET.indexOf(char) * (18 - i), 0)
  return curp.endsWith(String((10 - (sum % 10)) % 10))
}
