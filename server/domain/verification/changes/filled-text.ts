import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf, type FormField } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isStream, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import type { Comparison } from './comparison.ts'
import { objectsOf } from './filled-appearance.ts'
import { shownText } from './shown-text.ts'

/** Bits of /Ff. @see ISO 32000-2:2020, table 231 */
const [MULTILINE, PASSWORD] = [1 << 12, 1 << 13] as const
const MAX_ANCESTORS = 32

/**
 * Whether a text field that was filled in shows its value: `unknown` where its new look cannot be read, or
 * where the form itself says that values are shown in another way.
 */
export function showsItsValue(
  comparison: Comparison,
  field: FormField,
): 'same' | 'different' | 'unknown' {
  const { after } = comparison
  const isDrawnByReaders = after.resolve(acroFormOf(after)?.entries.get('NeedAppearances')) === true
  if (
    field.type !== 'Tx' ||
    field.flags & PASSWORD ||
    isFormatted(after, field) ||
    isDrawnByReaders
  )
    return 'unknown'
  const value = after.resolve(field.value)
  const wanted = plain(isString(value) ? decodeText(value.bytes) : '')
  if (!isString(value) && value !== null) return 'unknown'
  const shown = objectsOf(field).map((number) => newLook(comparison, number))
  if (shown.some((text) => text !== undefined && !isSameText(field, plain(text), wanted)))
    return 'different'
  return shown.includes(undefined) ? 'unknown' : 'same'
}

/** Undefined for a look that is the signed one, that readers make themselves, or that cannot be read. */
function newLook(
  { before, after, isSame, changed }: Comparison,
  number: number,
): string | undefined {
  const [old, now] = [before, after].map((document) => {
    const appearance = document.resolve(entriesOf(document.object(number)?.value).get('AP'))
    return entriesOf(appearance).get('N')
  })
  const look = after.resolve(now)
  if (!isStream(look)) return undefined
  const isOld = isSame(old, now) && !changed.has(look.owner.number)
  return isOld ? undefined : shownText(after, look)
}

/** Long texts of several lines are shown as far as there is room. */
const isSameText = ({ flags }: FormField, shown: string, value: string) =>
  shown === value || ((flags & MULTILINE) !== 0 && shown !== '' && value.startsWith(shown))

/** Lines are broken where they must, and letters drawn one by one. */
const plain = (text: string) => text.normalize('NFKC').replace(/[\s\u200b\u00ad]+/gu, '')

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
