import {
  entriesOf,
  isArray,
  isDictionary,
  isRef,
  isStream,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { isSameData, isSameValue } from '#server/domain/verification/changes/compare-values.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { drawnBy } from './drawn-looks.ts'
import type { ShownAnnotation } from './page-annotations.ts'

/**
 * Whether a later signature leaves an annotation as it was: its own, and an earlier signature that looks the same in the
 * same place. Programs that timestamp a signed file repeat the look of the signature.
 *
 * @param later its widget
 * @throws {PdfError} `too-complex`
 */
export const isRepeatedBy =
  (comparison: Comparison, later: number) =>
  ({ number, isSignature }: ShownAnnotation): boolean =>
    number === later ||
    (isSignature &&
      number !== undefined &&
      // In mode Difference the second one takes away what the first one wrote.
      drawnBy(comparison.after, later).every((mark) => !mark.isRecoloured) &&
      looksTheSame(comparison, number, later))

function looksTheSame(comparison: Comparison, signed: number, later: number): boolean {
  const { before, after } = comparison
  const [old, now] = [before.object(signed)?.value, after.object(later)?.value].map(entriesOf)
  return ['Rect', 'AP', 'AS'].every((key) =>
    holdsTheSame(comparison, old!.get(key) ?? null, now!.get(key) ?? null),
  )
}

/** Whatever numbers the objects have. Two objects that were compared are not compared again. */
function holdsTheSame(comparison: Comparison, old: PdfObject, now: PdfObject): boolean {
  const { before, after, spend } = comparison
  const sides = { a: before, b: after, followsReferences: false }
  const seen = new Set<string>()
  const pairs: [PdfObject, PdfObject][] = [[old, now]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    spend(1)
    const [first, second] = pair
    if (isRef(first) && isRef(second)) {
      const name = `${first.number} ${second.number}`
      if (seen.has(name)) continue
      seen.add(name)
    }
    const [a, b] = [before.resolve(first), after.resolve(second)]
    if (isArray(a) && isArray(b) && a.items.length === b.items.length)
      for (const [at, item] of a.items.entries()) pairs.push([item, b.items[at]!])
    else if ((isDictionary(a) && isDictionary(b)) || (isStream(a) && isStream(b))) {
      if (isStream(a) && isStream(b) && !isSameData(a, b, sides)) return false
      const [left, right] = [entriesOf(a), entriesOf(b)]
      for (const key of new Set([...left.keys(), ...right.keys()]))
        pairs.push([left.get(key) ?? null, right.get(key) ?? null])
    } else if (!isSameValue(a, b, sides)) return false
  }
  return true
}
