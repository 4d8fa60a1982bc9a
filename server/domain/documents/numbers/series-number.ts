import { z } from 'zod'
import { searchable } from '#server/domain/identity/text.ts'

/** A number of an instrument or of a collation. */
export const SeriesNumber = z.int().min(1).max(99_999_999)

/** `12,345` or `12345`; anything else, as `12,345 bis`, is text that the office orders by itself. */
const DIGITS = /^(?:\d{1,8}|\d{1,3}(?:[, ]\d{3}){1,2})$/

/** The number that a text says; undefined if it says more, or another thing. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim()
  if (!DIGITS.test(trimmed)) return undefined
  const number = SeriesNumber.safeParse(Number(trimmed.replace(/[, ]/g, '')))
  return number.success ? number.data : undefined
}

/** `12,345`, as offices write it. */
export const numberText = (number: number): string => number.toLocaleString('es-MX')

/** Two texts that fold to the same are one number: `12345 bis`, `12345  BIS`. */
export const foldedNumber = (text: string): string => searchable(text).replace(/\s+/g, ' ').trim()
