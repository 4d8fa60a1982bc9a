import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'

/**
 * Whether the dictionary with which readers draw a widget themselves says the same. PDF.js writes it down anew with
 * every value: colours in red, green and blue, of 255 steps each, and no turn of 0 degrees.
 *
 * @see ISO 32000-2:2020, table 192
 */
export function hasSameStyle(
  { before, after, isSame }: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const [signed, written] = [entriesOf(before.resolve(old)), entriesOf(after.resolve(now))]
  return [...new Set([...signed.keys(), ...written.keys()])].every(
    (key) =>
      isSame(signed.get(key), written.get(key)) ||
      (COLOURS.has(key) &&
        areAlike(rgbOf(before, signed.get(key)), rgbOf(after, written.get(key)))) ||
      (key === 'R' && before.resolve(signed.get(key)) === 0 && !written.has(key)),
  )
}

/** Of the border and of the background. */
const COLOURS = new Set(['BC', 'BG'])

/** Undefined for other colour spaces, which programs convert each in its own way, and for no colour. */
function rgbOf(document: PdfDocument, written: PdfObject | undefined): number[] | undefined {
  const colour = document.resolve(written)
  const components = isArray(colour) ? colour.items.map(document.resolve) : []
  if (!components.every((one) => typeof one === 'number')) return undefined
  if (components.length === 1) return [components[0]!, components[0]!, components[0]!]
  return components.length === 3 ? components : undefined
}

const areAlike = (old: number[] | undefined, now: number[] | undefined) =>
  old !== undefined &&
  now !== undefined &&
  old.every((component, at) => Math.abs(component - now[at]!) < STEP)

const STEP = 1 / 255
