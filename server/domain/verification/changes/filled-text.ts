import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf, type FormField } from '#server/domain/pdf/form-fields.ts'
import {
  byteString,
  entriesOf,
  isArray,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import { showsItsState } from './button-state.ts'
import type { Comparison } from './comparison.ts'
import { changedBelow, objectsOf } from './filled-appearance.ts'
import { hasColours, paintedLook } from './painted-look.ts'
import { plain, shownText } from './shown-text.ts'

/** Bits of /Ff. @see ISO 32000-2:2020, table 231 */
const [MULTILINE, PASSWORD, COMBO] = [1 << 12, 1 << 13, 1 << 17] as const
const MAX_ANCESTORS = 32

/**
 * Whether a field that was filled in shows its value: `unknown` where its new look cannot be read, or where
 * the form itself says that values are shown in another way.
 */
export function showsItsValue(
  comparison: Comparison,
  field: FormField,
): 'same' | 'different' | 'unknown' {
  const { after } = comparison
  if (field.type !== 'Btn' && objectsOf(field).some((number) => hidesMore(comparison, number)))
    return 'different'
  if (after.resolve(acroFormOf(after)?.entries.get('NeedAppearances')) === true) return 'unknown'
  if (field.type === 'Btn') return showsItsState(comparison, field)
  if (hasOtherFont(comparison, field)) return 'different'
  const wanted = wantedTexts(after, field)?.map(plain)
  if (!wanted || isFormatted(after, field)) return 'unknown'
  const shown = objectsOf(field).map((number) => newText(comparison, number))
  const isOther = (text: string) => !wanted.some((value) => isSameText(field, plain(text), value))
  if (shown.some((text) => text !== undefined && isOther(text))) return 'different'
  return shown.includes(undefined) ? 'unknown' : 'same'
}

/** What may be shown for the value: of a list, its words for it; undefined where anything may. */
function wantedTexts(document: PdfDocument, field: FormField): string[] | undefined {
  const value = textIn(document, document.resolve(field.value) ?? byteString(new Uint8Array()))
  if (value === undefined) return undefined
  if (field.type === 'Tx') return field.flags & PASSWORD ? undefined : [value]
  // A list box shows all that it holds.
  if (field.type !== 'Ch' || !(field.flags & COMBO)) return undefined
  const options = document.resolve(field.dictionary.entries.get('Opt'))
  const pairs = isArray(options) ? options.items.map(document.resolve) : []
  const words = pairs.filter(isArray).flatMap(({ items: [code, word] }) => {
    const shown = textIn(document, word)
    return textIn(document, code) === value && shown !== undefined ? [shown] : []
  })
  return [value, ...words]
}

function textIn(document: PdfDocument, value: PdfObject | undefined): string | undefined {
  const text = document.resolve(value)
  return isString(text) ? decodeText(text.bytes) : undefined
}

/** Undefined for a look that is the signed one, that readers make themselves, or that cannot be read. */
function newText(comparison: Comparison, number: number): string | undefined {
  const look = newLook(comparison, number)
  return look && shownText(comparison.after, look)
}

/** Undefined for a look that is the signed one, or that readers make themselves. */
function newLook(comparison: Comparison, number: number): PdfStream | undefined {
  const { before, after, isSame } = comparison
  const [old, now] = [before, after].map((document) => lookIn(document, number)) as [
    PdfObject,
    PdfObject,
  ]
  const look = after.resolve(now)
  const isOld = isSame(old, now) && changedBelow(comparison, [now]).length === 0
  return isOld || !isStream(look) ? undefined : look
}

/**
 * A text hides nothing of the page below it. One that comes with an area, where the signed look had none, does,
 * and so may one behind which readers find more than its instructions say.
 */
function hidesMore(comparison: Comparison, number: number): boolean {
  const { before, after } = comparison
  const look = newLook(comparison, number)
  if (!look) return false
  const old = before.resolve(lookIn(before, number))
  const hadArea = isStream(old)
    ? paintedLook(before, old)?.covers === true
    : hasColours(before, entriesOf(before.object(number)?.value))
  return !hadArea && paintedLook(after, look)?.covers !== false
}

function lookIn(document: PdfDocument, number: number): PdfObject {
  const appearance = document.resolve(entriesOf(document.object(number)?.value).get('AP'))
  return entriesOf(appearance).get('N') ?? null
}

/** A font of the signed look that means other characters now: no text that is read with it is what is seen. */
function hasOtherFont(comparison: Comparison, field: FormField): boolean {
  const looks = objectsOf(field).map((number) => lookIn(comparison.before, number))
  return changedBelow(comparison, looks).some((number) => {
    const roles = comparison.reachBefore.roles.get(number) ?? new Set()
    const type = entriesOf(comparison.before.object(number)?.value).get('Type')
    return isNamed(type, 'Font') || FONT_ROLES.some((role) => roles.has(role))
  })
}

const FONT_ROLES = ['FontDescriptor', 'FontFile', 'FontFile2', 'FontFile3', 'DescendantFonts']

/** Long texts of several lines are shown as far as there is room. */
function isSameText(field: FormField, shown: string, value: string): boolean {
  if (FOREIGN.test(value)) return isSameText(field, westernPart(shown), westernPart(value))
  const isCut = (field.flags & MULTILINE) !== 0 && shown !== '' && value.startsWith(shown)
  return shown === value || isCut
}

/** Letters that the fonts of most forms do not have: programs draw a sign in their place, or nothing. */
const FOREIGN = /[^ -\u00ff€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸŽ]/u
const westernPart = (text: string) =>
  [...text].filter((letter) => !FOREIGN.test(letter) && !'?·'.includes(letter)).join('')

/** A format action, as for amounts and dates. @see ISO 32000-2:2020, table 199, entry "F" */
function isFormatted(document: PdfDocument, { dictionary }: FormField): boolean {
  let node: PdfObject = dictionary
  for (let steps = 0; steps < MAX_ANCESTORS && node !== null; steps++) {
    const entries = entriesOf(node)
    if (entriesOf(document.resolve(entries.get('AA'))).has('F')) return true
    node = document.resolve(entries.get('Parent'))
  }
  return false
}
