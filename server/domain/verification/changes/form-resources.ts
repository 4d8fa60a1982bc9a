import { latin1 } from '#server/domain/pdf/characters.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { acroFormOf, formFields } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import type { Comparison } from './comparison.ts'
import { isAnyNamed } from './font-list-rule.ts'
import { knownFonts } from './known-fonts.ts'

/** Readers draw the fields with them by name, so that a name must go on meaning the same. */
const DRAWN_BY_NAME = new Set(['Font', 'Encoding'])
/** Other resources are drawn only by appearances that name them and do not bring their own. */
const USED_BY_LOOKS = new Set('XObject ExtGState ColorSpace Pattern Shading Properties'.split(' '))

/**
 * Whether the default resources of the form only gained names, and no look or field that was signed draws with one of
 * them. Fonts of readers may be named: programs that fill in a form supply them.
 *
 * @see ISO 32000-2:2020, table 224, entry "DR"
 */
export function isOnlyExtended(
  comparison: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const { before, after, isSame } = comparison
  const oldEntries = entriesOf(before.resolve(old))
  const newEntries = entriesOf(after.resolve(now))
  return [...new Set([...oldEntries.keys(), ...newEntries.keys()])].every((key) => {
    if (key === 'ProcSet') return true
    const [was, is] = [
      entriesOf(before.resolve(oldEntries.get(key))),
      entriesOf(after.resolve(newEntries.get(key))),
    ]
    const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
      (name) => !isSame(was.get(name), is.get(name)),
    )
    if (USED_BY_LOOKS.has(key)) return !isAnyDrawn(comparison, key, changed)
    if (!DRAWN_BY_NAME.has(key)) return isSame(oldEntries.get(key), newEntries.get(key))
    if (changed.some((name) => was.has(name))) return false
    return key !== 'Font' || areFontsPlain(comparison, now, changed)
  })
}

/** Fonts with letters of their own change a look that waited for a font of this name. */
function areFontsPlain(
  comparison: Comparison,
  resources: PdfObject | undefined,
  names: readonly string[],
): boolean {
  const { after } = comparison
  const [fontNamed, isKnown] = [lookFonts(after), comparison.once(knownFonts)]
  const strange = names.filter((value) => {
    const font = fontNamed(entriesOf(after.resolve(resources)), { kind: 'name', value })
    return font && (font.drawsSigns || !isKnown(font))
  })
  return (
    strange.length === 0 ||
    !(isAnyDrawn(comparison, 'Font', strange) || isAnyDefault(comparison.before, strange))
  )
}

function isAnyDefault(document: PdfDocument, names: readonly string[]): boolean {
  const widgets = formFields(document).flatMap(({ dictionary, widgets }) => [
    dictionary.entries,
    ...widgets.map(({ number }) => entriesOf(document.object(number)?.value)),
  ])
  const form = acroFormOf(document)?.entries ?? new Map<string, PdfObject>()
  return [form, ...widgets].some((entries) => {
    const text = document.resolve(entries.get('DA'))
    return isString(text) && isAnyNamed(latin1(text.bytes), names)
  })
}

/** Of all that is read to find out; more is taken for a use. */
const MOST_BYTES = 32 << 20

/** Whether a signed look names one of the resources and does not bring it. What cannot be read may. */
function isAnyDrawn(
  { before, reachBefore }: Comparison,
  kind: string,
  names: readonly string[],
): boolean {
  if (names.length === 0) return false
  let left = MOST_BYTES
  const draws = (stream: PdfStream) => {
    const missing = names.filter((name) => !hasOwn(before, stream, kind, name))
    if (missing.length === 0) return false
    const bytes = before.decoded(stream, left)
    left -= bytes.length
    return left <= 0 || isAnyNamed(latin1(bytes), missing)
  }
  try {
    return [...reachBefore.roles.keys()].some((number) => {
      const stream = before.object(number)?.value
      return isStream(stream) && stream.dictionary.entries.has('BBox') && draws(stream)
    })
  } catch (error) {
    if (error instanceof PdfError) return true
    throw error
  }
}

function hasOwn(document: PdfDocument, look: PdfStream, kind: string, name: string): boolean {
  const resources = entriesOf(document.resolve(look.dictionary.entries.get('Resources')))
  return entriesOf(document.resolve(resources.get(kind))).has(name)
}
