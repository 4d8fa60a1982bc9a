import { contentOperations } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { directOperator, lightnessOf } from '#server/domain/verification/looks/colour.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import { hasItsOperands } from '#server/domain/verification/looks/operands.ts'
import type { Comparison } from './comparison.ts'
import { knownFonts } from './known-fonts.ts'

/** In points; 0 lets readers choose. */
const [SMALLEST, LARGEST] = [2, 24] as const
/** White letters, or nearly. */
const LIGHTEST = 0.85

/**
 * Whether a default appearance that changed still lets readers draw legible letters: a font of the signed document or
 * one without letters of its own, a usual size, a dark colour.
 *
 * @see ISO 32000-2:2020, 12.7.4.3, "variable text"
 */
export function isPlainDefault(comparison: Comparison, written: PdfObject | undefined): boolean {
  const { after } = comparison
  const text = after.resolve(written)
  if (text === null) return true
  if (!isString(text)) return false
  const [fontNamed, isKnown] = [lookFonts(after), comparison.once(knownFonts)]
  const isPlainFont = (name: PdfObject | undefined) => {
    const font = fontNamed(new Map(), name)
    return !font || (isKnown(font) && !font.drawsSigns)
  }
  try {
    let space: string | undefined = 'g'
    for (const operation of contentOperations(text.bytes)) {
      const { operator, operands } = operation
      if (!hasItsOperands(operation)) return false
      const [first, size] = operands
      if (operator === 'Tf' && !(isUsualSize(size) && isPlainFont(first))) return false
      if (operator === 'cs') space = directOperator(after, first)
      const colour = operator === 'sc' || operator === 'scn' ? space : operator
      const isColour = colour === 'g' || colour === 'rg' || colour === 'k'
      if (isColour && !((lightnessOf(colour, operands) ?? 1) <= LIGHTEST)) return false
      if (!isColour && operator !== 'Tf' && operator !== 'cs') return false
    }
    return true
  } catch (error) {
    if (error instanceof PdfError) return false
    throw error
  }
}

const isUsualSize = (size: PdfObject | undefined) =>
  size === 0 || (typeof size === 'number' && size >= SMALLEST && size <= LARGEST)

/**
 * The size of letters, in points, that a default appearance states; undefined where readers choose it.
 *
 * @param written of the field, or of the form
 */
export function defaultSizeIn(
  document: PdfDocument,
  written: PdfObject | undefined,
): number | undefined {
  const text = document.resolve(written)
  if (!isString(text)) return undefined
  try {
    const fonts = [...contentOperations(text.bytes)].filter(({ operator }) => operator === 'Tf')
    const size = fonts.at(-1)?.operands[1]
    return typeof size === 'number' && size > 0 ? size : undefined
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
