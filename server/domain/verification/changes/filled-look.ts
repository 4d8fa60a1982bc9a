import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf, type FormField } from '#server/domain/pdf/form-fields.ts'
import {
  byteString,
  entriesOf,
  isArray,
  isStream,
  isString,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import { formatScript, isFormatted } from '#server/domain/verification/looks/format-action.ts'
import { type Frame, frameOf } from '#server/domain/verification/looks/frame.ts'
import { isEdge, isGround } from '#server/domain/verification/looks/frame-lines.ts'
import { boxIn } from '#server/domain/verification/looks/geometry.ts'
import {
  legibleLines,
  type ShownLine,
  type TextRules,
} from '#server/domain/verification/looks/text-look.ts'
import { showsItsState } from './button-state.ts'
import type { Comparison } from './comparison.ts'
import { isCutByPage } from './cut-by-page.ts'
import { defaultSizeIn } from './default-appearance.ts'
import { FLAGS } from './field-flags.ts'
import { changedBelow } from './filled-appearance.ts'
import { knownFonts } from './known-fonts.ts'
import { hasColours } from './painted-look.ts'
import { plain } from './plain-text.ts'
import { isVisible } from './signature-field-rule.ts'
import type { WidgetPlaces } from './widget-places.ts'

/**
 * Whether a field that was filled in shows its value and nothing else, in each of its widgets.
 *
 * @see ISO 32000-2:2020, 12.7.4.3
 */
export function showsItsValue(
  comparison: Comparison,
  field: FormField,
  places: WidgetPlaces,
): boolean {
  if (field.type === 'Btn') return showsItsState(comparison, field, places)
  const wanted = wantedOf(comparison.after, field)
  return (
    wanted !== undefined &&
    field.widgets.every(({ number }) => showsText(comparison, { field, number, wanted, places }))
  )
}

/** What a look may say, without spaces. */
type Wanted = {
  /** Of a list, its words for the value too. */
  readonly texts: readonly string[]
  /** Of a list box: the words of its items, and which of them are chosen. */
  readonly items?: readonly string[]
  readonly chosen?: ReadonlySet<string>
}

function wantedOf(document: PdfDocument, field: FormField): Wanted | undefined {
  const value = document.resolve(field.value)
  if (field.type === 'Tx') {
    const text = textIn(document, value ?? byteString(new Uint8Array()))
    return text === undefined ? undefined : { texts: [text] }
  }
  const values = (isArray(value) ? value.items : value === null ? [] : [value]).map((one) =>
    textIn(document, one),
  )
  if (values.includes(undefined) || field.type !== 'Ch') return undefined
  const options = optionsOf(document, field)
  const chosen = (values as string[]).map((code) => {
    const words = options.filter((one) => one.code === code).map(({ word }) => word)
    // A code that is the word for another option says that one, where it has a word of its own.
    const isOther = options.some((one) => one.code !== code && plain(one.word) === plain(code))
    return {
      word: words[0] ?? code,
      texts: isOther && words.length > 0 ? words : [code, ...words],
    }
  })
  const texts = chosen.length > 0 ? chosen[0]!.texts : ['']
  // A combo box has one value: of several, readers show different ones.
  if (field.flags & FLAGS.combo) return chosen.length > 1 ? undefined : { texts }
  return {
    texts,
    items: options.map(({ word }) => plain(word)),
    chosen: new Set(chosen.map(({ word }) => plain(word))),
  }
}

function optionsOf(document: PdfDocument, { dictionary }: FormField) {
  const list = document.resolve(dictionary.entries.get('Opt'))
  const options = isArray(list) ? list.items.map(document.resolve) : []
  return options.flatMap((option) => {
    const [code, word] = (isArray(option) ? option.items : [option, option]).map((one) =>
      textIn(document, one),
    )
    return code === undefined || word === undefined ? [] : [{ code, word }]
  })
}

function textIn(document: PdfDocument, value: PdfObject | undefined): string | undefined {
  const text = document.resolve(value)
  return isString(text) ? decodeText(text.bytes) : undefined
}

type Shown = { field: FormField; number: number; wanted: Wanted; places: WidgetPlaces }

function showsText(comparison: Comparison, shown: Shown): boolean {
  const { before, after, isSame } = comparison
  const { number, wanted } = shown
  const [old, now] = [before, after].map((document) => document.object(number)?.value)
  const widget = entriesOf(now)
  const isSeen = typeof now === 'object' && now?.kind === 'dictionary' && isVisible(after, now)
  const [oldLook, look] = [lookIn(before, old), lookIn(after, now)]
  if (look === null) return oldLook === null || isDrawnByReaders(before, old)
  if (!isSeen && !isStream(look)) return false
  const isOld = isSame(oldLook, look) && changedBelow(comparison, [look]).length === 0
  // Readers that draw the values themselves draw over a look without any marks.
  if (isOld && !isSeen) return true
  if (!isStream(look) || !hasOneLook(comparison, old, now)) return false
  const frame = frameOf(after, widget, look)
  if (isOld && frame.ink.marks.length === 0 && !frame.ink.isOdd) return needsAppearances(before)
  comparison.spend(frame.ink.marks.length)
  const [place, shownPage] = [boxIn(after, widget.get('Rect')), shown.places.shownPageOf(number)]
  if (place && shownPage && isCutByPage(frame, place, shownPage)) return false
  const lines = legibleLines(frame, rulesOf(comparison, shown))
  return lines !== undefined && saysItsValue(after, shown, wanted, lines)
}

function lookIn(document: PdfDocument, widget: PdfObject | undefined): PdfObject {
  const appearance = document.resolve(entriesOf(widget).get('AP'))
  return document.resolve(entriesOf(appearance).get('N'))
}

const needsAppearances = (document: PdfDocument) =>
  document.resolve(acroFormOf(document)?.entries.get('NeedAppearances')) === true

/** Of a widget that shows no more than its ground yet: programs leave the look of its value to readers. */
function isDrawnByReaders(document: PdfDocument, widget: PdfObject | undefined): boolean {
  const look = lookIn(document, widget)
  if (!needsAppearances(document) || !isStream(look)) return false
  const frame = frameOf(document, entriesOf(widget), look)
  const { marks, isOdd } = frame.ink
  return (
    !isOdd &&
    marks.every((mark) => mark.kind !== 'text' && (isGround(mark, frame) || isEdge(mark, frame)))
  )
}

/** What it shows below the pointer, and while it is pressed, stays as it was. */
function hasOneLook(
  { before, after, isSame }: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const [signed, filled] = [before, after].map((document, at) =>
    entriesOf(document.resolve(entriesOf(at === 0 ? old : now).get('AP'))),
  )
  return ['R', 'D'].every((key) => !filled!.has(key) || isSame(signed!.get(key), filled!.get(key)))
}

function rulesOf(comparison: Comparison, { field, number, places }: Shown): TextRules {
  const { before } = comparison
  const old = before.object(number)?.value
  const oldLook = lookIn(before, old)
  let signed: Frame | undefined
  return {
    signed: () => {
      if (isStream(oldLook)) signed ??= frameOf(before, entriesOf(old), oldLook)
      return signed
    },
    hasColours: hasColours(before, entriesOf(old)),
    cells: (field.flags & FLAGS.comb) !== 0 ? mostLetters(comparison.before, field) : 0,
    isMultiline: (field.flags & FLAGS.multiline) !== 0,
    isList: field.type === 'Ch' && (field.flags & FLAGS.combo) === 0,
    isLarge: !places.isSmall(number),
    defaultSize: defaultSizeOf(before, field, number),
    isKnown: comparison.once(knownFonts),
  }
}

/** @see ISO 32000-2:2020, table 228 */
function defaultSizeOf(document: PdfDocument, field: FormField, widget: number) {
  const own = entriesOf(document.object(widget)?.value).get('DA')
  const form = acroFormOf(document)?.entries.get('DA')
  return defaultSizeIn(document, own ?? inheritedFrom(document, field, 'DA') ?? form)
}

/** @see ISO 32000-2:2020, table 232, entry "MaxLen" */
function mostLetters(document: PdfDocument, field: FormField): number {
  const count = inheritedFrom(document, field, 'MaxLen')
  return typeof count === 'number' ? count : 0
}

/** An entry of the field, else of the fields above it. */
function inheritedFrom(document: PdfDocument, { dictionary }: FormField, key: string) {
  let node: PdfObject = dictionary
  for (let steps = 0; steps < MAX_ANCESTORS && node !== null; steps++) {
    const entries = entriesOf(node)
    const value = document.resolve(entries.get(key))
    if (value !== null) return value
    node = document.resolve(entries.get('Parent'))
  }
  return undefined
}

function saysItsValue(
  document: PdfDocument,
  { field, number }: Shown,
  wanted: Wanted,
  lines: readonly ShownLine[],
): boolean {
  const text = lines.map((line) => line.text).join('')
  if (field.flags & FLAGS.password) return field.type === 'Tx' && /^[*•●]*$/u.test(plain(text))
  if (wanted.items && showsItems(wanted, lines)) return true
  const script = scriptOf(document, field, number)
  return wanted.texts.some(
    (value) =>
      isSameText(plain(text), plain(value), document.meter.spend) ||
      (hasNoRoom(field, lines) && plain(value).startsWith(plain(text))) ||
      (script !== undefined && isFormatted(script, value, text.trim())),
  )
}

/** A list box shows some of its items, in their order, and marks those that are chosen. */
function showsItems({ items = [], chosen }: Wanted, lines: readonly ShownLine[]): boolean {
  const words = lines.map(({ text }) => plain(text))
  const start = items.findIndex((_, at) => words.every((word, below) => items[at + below] === word))
  const marked = new Set(lines.filter(({ isMarked }) => isMarked).map(({ text }) => plain(text)))
  return start >= 0 && marked.size === chosen?.size && marked.isSubsetOf(chosen)
}

const MAX_ANCESTORS = 32

function scriptOf(document: PdfDocument, field: FormField, widget: number): string | undefined {
  const own = formatScript(document, entriesOf(document.object(widget)?.value).get('AA'))
  if (own !== undefined) return own
  let node: PdfObject = field.dictionary
  for (let steps = 0; steps < MAX_ANCESTORS && node !== null; steps++) {
    const entries = entriesOf(node)
    const script = formatScript(document, entries.get('AA'))
    if (script !== undefined) return script
    node = document.resolve(entries.get('Parent'))
  }
  return undefined
}

/** Long texts of several lines are shown as far as there is room. */
const hasNoRoom = ({ flags }: FormField, lines: readonly ShownLine[]) =>
  (flags & FLAGS.multiline) !== 0 && lines.length > 0 && lines.at(-1)!.isLastWithRoom

/** Whether a look shows a value, apart from letters that its font lacks. The spaces of both are left out. */
function isSameText(shown: string, value: string, spend: (steps: number) => void): boolean {
  if (shown === value) return true
  const [drawn, wanted] = [[...shown], [...value]]
  // How many letters may have been drawn for those of the value so far.
  let counts = new Set([0])
  for (const [at, letter] of wanted.entries()) {
    const rest = wanted.length - at - 1
    const next = [...counts].flatMap((count) => countsAfter(count, letter, drawn[count]))
    counts = new Set(next.filter((count) => drawn.length - count <= rest))
    spend(next.length)
  }
  return counts.has(drawn.length)
}

/** Without a minus, a digit or a currency an amount is another one; a word of which letters are missing is none. */
function countsAfter(count: number, letter: string, drawn: string | undefined): number[] {
  const isForeign = FOREIGN.test(letter)
  const isDrawn = drawn === letter || (isForeign && drawn !== undefined && REPLACEMENTS.has(drawn))
  const mayBeMissing = isForeign && !SIGN.test(letter)
  return [...(mayBeMissing ? [count] : []), ...(isDrawn ? [count + 1] : [])]
}

/** Letters that the fonts of most forms do not have: programs draw a sign in their place, or nothing. */
const FOREIGN = /[^ -\u00ff€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸŽ]/u
const SIGN = /[\p{N}\p{P}\p{Sm}\p{Sc}]/u
const REPLACEMENTS = new Set(['?', '·'])

export const isRichTextSame = (document: PdfDocument, field: FormField, written: PdfObject) => {
  const rich = document.resolve(written)
  const bytes = isStream(rich)
    ? document.decoded(rich, MAX_RICH_TEXT)
    : isString(rich)
      ? rich.bytes
      : undefined
  const value = textIn(document, field.value)
  if (!bytes || value === undefined) return rich === null
  return plain(withoutTags(decodeText(bytes))) === plain(value)
}

const MAX_RICH_TEXT = 1 << 20

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const withoutTags = (text: string) =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (all, hex, decimal, name) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return name ? (ENTITIES[name] ?? all) : code <= 0x10ffff ? String.fromCodePoint(code) : all
    })
