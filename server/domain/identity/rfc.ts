import { z } from 'zod'
import { isCalendarDay } from './calendar-day.ts'

/**
 * The RFC, a taxpayer's key: 13 characters for a natural person, 12 for a legal one. A wrong check digit is a
 * warning (`hasRfcCheckDigit`), not an error: the SAT itself has issued such keys.
 *
 * @see SAT, catCFDI.xsd, type t_RFC
 */
export const Rfc = z
  .string()
  .transform((text) => text.normalize('NFC').trim().toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^[A-Z&Ñ]{3,4}\d{2}(?:0[1-9]|1[012])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/)
      .refine((rfc) => isCalendarDay(rfc.slice(-9, -3)), 'no such day'),
  )
  .brand<'Rfc'>()
export type Rfc = z.infer<typeof Rfc>

/** Generic keys: the general public, and foreigners. */
const GENERIC = new Set(['XAXX010101000', 'XEXX010101000'])

/** Whether it names no person: no e.firma has it. */
export const isGenericRfc = (rfc: Rfc): boolean => GENERIC.has(rfc)

const ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Whether the check digit is correct; generic keys always pass. */
export function hasRfcCheckDigit(rfc: Rfc): boolean {
  return GENERIC.has(rfc) || rfc.endsWith(checkDigit(rfc))
}

function checkDigit(rfc: Rfc): string {
  // A legal person's key is one character shorter; the algorithm pads it with a space.
  const body = rfc.slice(0, -1).padStart(12, ' ')
  const sum = [...body].reduce((sum, char, i) => sum + ALPHABET.indexOf(char) * (13 - i), 0)
  const rest = 11 - (sum % 11)
  if (rest === 11) return '0'
  return rest === 10 ? 'A' : String(rest)
}
