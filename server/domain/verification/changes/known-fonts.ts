import { equalBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isRef, isStream, type PdfObject } from '#server/domain/pdf/object.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import { isSameValue } from './compare-values.ts'
import type { Comparison } from './comparison.ts'

/**
 * Whether the letters of a font are those that were signed, or those that readers have: a font that comes later with
 * letters of its own can draw one letter and call it another. Some programs write a font of the form once more. For `once`.
 */
export function knownFonts(comparison: Comparison): (font: LookFont) => boolean {
  // The looks of a large form share few fonts, and to compare one takes long.
  const answers = new WeakMap<LookFont, boolean>()
  return (font) => {
    const known = answers.get(font) ?? isKnown(comparison, font)
    answers.set(font, known)
    return known
  }
}

/** Whether letters reach farther than letters do: what they hide is not where they stand. */
export function isGiant(font: LookFont): boolean {
  if (!font.isEmbedded) return false
  const { left, bottom, right, top } = font.bounds() ?? NO_BOUNDS
  return left < -1 || bottom < -1 || right > 3 || top > 2
}

/** Whether letters come with the file, and it is not known how far they reach. */
export const isUnmeasured = (font: LookFont) => font.isEmbedded && font.bounds() === undefined

const NO_BOUNDS = { left: 0, bottom: 0, right: 0, top: 0 }

function isKnown(comparison: Comparison, font: LookFont): boolean {
  const { before, after, reachBefore } = comparison
  const isLettersOfReaders = !(font.isEmbedded || font.isComposite || font.drawsSigns)
  if (isLettersOfReaders) return true
  if (isGiant(font)) return false
  const { written } = font
  if (isRef(written) && reachBefore.roles.has(written.number))
    return isSameDeeply(comparison, written, written)
  const shared = entriesOf(before.resolve(acroFormOf(before)?.entries.get('DR')))
  const fonts = [...entriesOf(before.resolve(shared.get('Font'))).values()].slice(0, MOST_FONTS)
  const name = entriesOf(after.resolve(written)).get('BaseFont')
  return fonts
    .filter((old) => comparison.isSame(entriesOf(before.resolve(old)).get('BaseFont'), name))
    .some((old) => isSameDeeply(comparison, old, written))
}

const MOST_FONTS = 64
const MAX_DEPTH = 12

/** Whether all that two values lead to is the same. */
function isSameDeeply(
  comparison: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
  depth = 0,
): boolean {
  const { before, after, spend } = comparison
  spend(1)
  const [a, b] = [before.resolve(old), after.resolve(now)]
  if (depth > MAX_DEPTH || typeof a !== typeof b) return false
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (a.kind !== b.kind) return false
  if (isArray(a) && isArray(b))
    return (
      a.items.length === b.items.length &&
      a.items.every((item, at) => isSameDeeply(comparison, item, b.items[at], depth + 1))
    )
  if (isStream(a) && isStream(b) && !equalBytes(before.raw(a), after.raw(b))) return false
  const [oldEntries, newEntries] = [entriesOf(a), entriesOf(b)]
  if (oldEntries.size === 0 && newEntries.size === 0) return isPlainSame(a, b, before, after)
  return [...new Set([...oldEntries.keys(), ...newEntries.keys()])].every((key) =>
    isSameDeeply(comparison, oldEntries.get(key), newEntries.get(key), depth + 1),
  )
}

const isPlainSame = (a: PdfObject, b: PdfObject, before: PdfDocument, after: PdfDocument) =>
  isSameValue(a, b, { a: before, b: after, followsReferences: false })
