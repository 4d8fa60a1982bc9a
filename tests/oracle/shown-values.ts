import type { Excuse } from './excuses.ts'
import type { Box, Look, Picture, ShownPage, Word } from './look.ts'
import { areaOf, grayAt, isPixelIn, isSameWord, pixelsIn } from './places.ts'
import { type Widget, widgetsIn } from './widgets.ts'

/*
 * Whether a reader shows in a filled field the value that the report lists, and nothing else.
 *
 * Words are compared for readers that say where their words are and read annotations: Poppler and MuPDF. pdf.js,
 * PDFium and Ghostscript give the words of the page alone; for them, as for all, ink has to be where these words
 * are, and nowhere else in the field. Left out are values that no look has to repeat: those of list boxes, values
 * that a script formats, and letters outside of Latin 1, in whose place programs draw signs.
 */

/** A place where a value has to be seen. */
export type ShownValue = {
  field: string
  page: number
  box: Box
  /** What it may say, without spaces; for a box, whether it is ticked. */
  expects: { texts: readonly string[]; isPrefixEnough: boolean } | { isTicked: boolean }
}

/**
 * The places of the filled fields of a file.
 *
 * @param filled the names of the fields, and the values that the report lists
 * @param excuses places where a later signature may stand: what it draws over a field is not its value
 */
export async function shownValues(
  whole: Uint8Array,
  filled: ReadonlyMap<string, string>,
  excuses: readonly Excuse[],
): Promise<ShownValue[]> {
  if (filled.size === 0) return []
  const widgets = await widgetsIn(whole).catch(() => [])
  return widgets.flatMap((widget) => {
    const value = filled.get(widget.name)
    const expects = value === undefined ? undefined : expected(widget, value)
    const { name, page, box } = widget
    const isCrossed = excuses.some((excuse) => excuse.keepsInk && isCrossing(excuse, widget))
    return expects && hasRoom(box) && !isCrossed ? [{ field: name, page, box, expects }] : []
  })
}

const isCrossing = (excuse: Excuse, { page, box }: Widget) =>
  excuse.page === page &&
  excuse.box.left < box.right &&
  excuse.box.right > box.left &&
  excuse.box.top < box.bottom &&
  excuse.box.bottom > box.top

/** The report cuts longer values. */
const LONGEST_VALUE = 190
const LATIN = /^[\s!-~\u00a1-\u00ff]*$/u

function expected(widget: Widget, value: string): ShownValue['expects'] | undefined {
  if (!widget.isDrawn) return undefined
  if (widget.type === 'Btn') return { isTicked: value !== '' && value !== 'Off' }
  if (widget.isPassword || widget.isFormatted) return undefined
  if (value.length > LONGEST_VALUE || !LATIN.test(value)) return undefined
  if (widget.type === 'Tx')
    return { texts: [withoutSpaces(value)], isPrefixEnough: widget.isMultiline }
  if (widget.type !== 'Ch' || !widget.isCombo) return undefined
  const words = widget.options.filter(({ exportValue }) => exportValue === value)
  const texts = [value, ...words.map(({ displayValue }) => displayValue)].map(withoutSpaces)
  return texts.every((text) => LATIN.test(text)) ? { texts, isPrefixEnough: false } : undefined
}

const withoutSpaces = (text: string) => text.normalize('NFKC').replace(/[\s\u200b\u00ad]+/gu, '')

/** A field without any is not seen. */
const hasRoom = ({ left, top, right, bottom }: Box) => right - left > 2 && bottom - top > 2

type PlacedWords = readonly (readonly Word[])[] | undefined
type Options = { placed: { signed: PlacedWords; whole: PlacedWords }; mayLag: boolean }

/**
 * What is wrong in the fields of a file as one reader shows it.
 *
 * @param options `placed`: for each page, its words by a reader that says where they are, when it was signed and now.
 *   `mayLag`: the reader may
 *   show the field as it was signed. Ghostscript keeps all objects of an object stream that it has once read, though
 *   a later revision has some of them anew: a box that was ticked then looks as it was signed.
 */
export function faultsOfValues(
  signed: Look,
  whole: Look,
  values: readonly ShownValue[],
  { placed, mayLag }: Options,
): string[] {
  if ('refusal' in signed || 'refusal' in whole) return []
  return values.flatMap((value) => {
    const [before, after] = [signed, whole].map(({ pages }) => pages[value.page - 1])
    if (!before || !after) return []
    if (mayLag && isUnchanged(before.picture, after.picture, value.box)) return []
    const [old, words] = [placed.signed, placed.whole].map((pages) => pages?.[value.page - 1])
    const fault = faultOf(before, after, value, words, old ?? [])
    return fault === undefined ? [] : [`page ${value.page}: field ${value.field}: ${fault}`]
  })
}

function faultOf(
  before: ShownPage,
  after: ShownPage,
  { box, expects }: ShownValue,
  placed: readonly Word[] | undefined,
  old: readonly Word[],
): string | undefined {
  if ('isTicked' in expects) return faultOfBox(before.picture, after.picture, box, expects.isTicked)
  if (after.words.some(({ place }) => place) || before.words.some(({ place }) => place)) {
    const fault = faultOfText(before.words, after.words, box, expects)
    if (fault !== undefined) return fault
  }
  const inside = placed?.filter((word) => isIn(box, word))
  return inside && faultOfInk(before.picture, after.picture, box, inside, old)
}

function isIn(box: Box, { place }: Word): boolean {
  if (!place) return false
  const [x, y] = [(place.left + place.right) / 2, (place.top + place.bottom) / 2]
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}

const isUnchanged = (before: Picture, after: Picture, box: Box) =>
  pixelsIn(areaOf(box, after)).every((at) => grayAt(before, at) === grayAt(after, at))

/** Words that stood there when the file was signed may be those of the page below the field. */
function faultOfText(
  before: readonly Word[],
  after: readonly Word[],
  box: Box,
  { texts, isPrefixEnough }: { texts: readonly string[]; isPrefixEnough: boolean },
): string | undefined {
  const old = before.filter((word) => isIn(box, word))
  const words = after
    .filter((word) => isIn(box, word))
    .map((word) => ({
      text: withoutSpaces(word.text),
      isOld: old.some((one) => isSameWord(one, word)),
    }))
  if (texts.some((text) => canSay(words, text, isPrefixEnough))) return undefined
  return `says “${words.map(({ text }) => text).join(' ')}”, not “${texts.join('” or “')}”`
}

type CountedWord = { text: string; isOld: boolean }

function canSay(words: readonly CountedWord[], text: string, isPrefixEnough: boolean): boolean {
  const [first, ...rest] = words
  if (!first) return text === '' || isPrefixEnough
  if (beginsWith(text, first.text) && canSay(rest, text.slice(first.text.length), isPrefixEnough))
    return true
  return first.isOld && canSay(rest, text, isPrefixEnough)
}

/** MuPDF says that it does not know a letter: its font has no table of them. Then ink alone counts. */
const UNKNOWN = '\ufffd'

const beginsWith = (text: string, word: string) =>
  word.length <= text.length &&
  [...word].every((letter, at) => letter === UNKNOWN || letter === text[at])

/** Levels of gray that the edge of a letter may differ by. */
const SHADE = 24
/** Levels of gray between a letter, even a thin one, and its ground. */
const CONTRAST = 32
/** Pixels around a word that its letters may colour: programs have letters of their own for a usual font. */
const EDGE = 2

/** A word without ink is hidden; ink beside the words says something else than they. */
function faultOfInk(
  before: Picture,
  after: Picture,
  box: Box,
  words: readonly Word[],
  old: readonly Word[],
): string | undefined {
  for (const word of words) {
    const { text, place } = word
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    // Small letters of a signature below the field may be no more than a pixel, then and now.
    if (isUnchanged(before, after, place!) && old.some((one) => isSameWord(one, word))) continue
    const levels = pixelsIn(areaOf(within(place!, box), after)).map((at) => grayAt(after, at))
    if (levels.length > 0 && Math.max(...levels) - Math.min(...levels) < CONTRAST)
      return `“${text}” is there and is not seen`
  }
  const areas = words.map(({ place }) => areaOf(widened(place!), after, -EDGE))
  for (const at of pixelsIn(areaOf(box, after, EDGE))) {
    const [then, now] = [grayAt(before, at), grayAt(after, at)]
    const isNew = then - now > SHADE && areas.every((area) => !isPixelIn(area, at))
    if (isNew) return `ink at ${at.x}, ${at.y} belongs to no word`
  }
  return undefined
}

/** For a font of no known name, programs have letters of different widths: digits of Courier are a fifth wider than others. */
const widened = (place: Box): Box => ({
  ...place,
  right: place.right + (place.right - place.left) / 5,
})

const within = (place: Box, box: Box): Box => ({
  left: Math.max(place.left, box.left),
  top: Math.max(place.top, box.top),
  right: Math.min(place.right, box.right),
  bottom: Math.min(place.bottom, box.bottom),
})

/** A box that is emptied gains no ink. One that is ticked shows some, unless it did when it was signed. */
function faultOfBox(
  before: Picture,
  after: Picture,
  box: Box,
  isTicked: boolean,
): string | undefined {
  const pixels = pixelsIn(areaOf(box, after))
  const darker = pixels.find((at) => grayAt(before, at) - grayAt(after, at) > SHADE)
  if (!isTicked) return darker && `is not ticked and gains ink at ${darker.x}, ${darker.y}`
  const levels = pixels.map((at) => grayAt(after, at))
  const ground = Math.max(...levels)
  // A line of half a pixel is paler than a letter, and longer than a speck.
  const ink = levels.reduce((sum, level) => sum + (ground - level > SHADE ? ground - level : 0), 0)
  return ground - Math.min(...levels) < CONTRAST && ink < LEAST_INK
    ? 'is ticked and shows no sign'
    : undefined
}

/** Levels of gray of three pixels together. */
const LEAST_INK = 3 * CONTRAST
