import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, type PdfObject } from '#server/domain/pdf/object.ts'
import { isEven, isStraight } from '#server/domain/pdf/pictures/colour-spaces.ts'
import { type Matrix, matrixIn, product } from './geometry.ts'
import type { Pattern } from './graphics.ts'

/**
 * What a shading shows: a ground if it goes slowly and far from one colour to another, along a line or between circles one
 * inside the other, and has no end; a wide band if it ends at lines. All others may draw bars, rings, or anything.
 *
 * @param matrix of its coordinates
 * @see ISO 32000-2:2020, 8.7.4.5.3 and 8.7.4.5.4
 */
export function shadingOf(
  document: PdfDocument,
  shading: PdfObject | undefined,
  [a, b, c, d]: Matrix,
): Pattern {
  const entries = entriesOf(document.resolve(shading))
  const value = (key: string) => document.resolve(entries.get(key))
  const items = (key: string) => {
    const written = value(key)
    return isArray(written) ? written.items.map(document.resolve) : []
  }
  const type = value('ShadingType')
  if (type !== 2 && type !== 3) return 'unread'
  const numbers = items('Coords').map((one) => (typeof one === 'number' ? one : Number.NaN))
  const isFar =
    lengthOf(type, numbers) * Math.min(Math.hypot(a, b), Math.hypot(c, d)) >= LEAST_LENGTH
  // All of a wider domain but the part from 0 to 1 has the first colour or the last one.
  const isSpread = value('Domain') === null || items('Domain').join() === '0,1'
  const isPlain =
    isSpread &&
    value('BBox') === null &&
    isStraight(document, value('Function')) &&
    isEven(document, value('ColorSpace'))
  if (!isFar || !isPlain) return 'shaded'
  const isEndless = items('Extend').filter((one) => one === true).length === 2
  if (isEndless) return 'ground'
  return type === 2 ? 'band' : 'shaded'
}

/** In points: longer than letters are high. */
const LEAST_LENGTH = 30

/** How far it is from the first colour to the last one, where that is nearest. */
function lengthOf(type: 2 | 3, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]) {
  return type === 2 ? Math.hypot(c - a, d - b) : Math.abs(f - c) - Math.hypot(d - a, e - b)
}

/** What stands in place of a colour. @param base the matrix where the instructions that name it begin */
export function patternOf(document: PdfDocument, pattern: PdfObject, base: Matrix) {
  const entries = entriesOf(pattern)
  const own = matrixIn(document, entries.get('Matrix'))
  return own ? shadingOf(document, entries.get('Shading'), product(own, base)) : 'unread'
}
