import type { Spend } from './filled-strips.ts'
import type { Frame } from './frame.ts'
import { hides, isEdge, isSamePaint } from './frame-lines.ts'
import {
  type Box,
  boxAround,
  cornersOf,
  heightOf,
  intersection,
  isWithin,
  widthOf,
} from './geometry.ts'
import type { LookFont } from './look-font.ts'
import { type Mark, type Paint, paintsOf, piecesOf, type Run, runsOf } from './marks.ts'

/** In points, each side of what a tick adds to a page. */
const LARGEST_SIGN = 40
/** Letters that a tick may consist of: a cross, a word as short as "Sí". */
const MOST_LETTERS = 3
/** What a tick says that is drawn later: "No" in the box of "Sí" would be the contrary. */
const ASSENT = /^(?:x{1,3}|o|v|s|s[iíì]|sim|y|yes|ja|oui|da|ok|[✓✔✗✘☑☒●■]+)$/i
/** A tick, a cross, a dot, a square or a star of ZapfDingbats. */
const TICK = /^[3-8lmnopqruH]$/
/** Of a box with a round border and a tick of curves there are some twenty. */
const MOST_LINES = 60
const MOST_MARKS = 200

type SignRules = {
  /** What the widget showed; undefined for nothing. */
  readonly shown: Frame | undefined
  /** The widget says that it has a background or a border. */
  readonly hasColours: boolean
  /** The look was signed with the box: what it says is known to the signer. */
  readonly isSigned: boolean
  /** Whether the letters of a font are those that were signed, or those of readers. */
  readonly isKnown: (font: LookFont) => boolean
  readonly spend: Spend
}

/**
 * Whether the look of a check box or radio button adds no more than a small dark sign to what the widget showed when it
 * was signed.
 */
export function addsOnlyASign(
  frame: Frame,
  { shown, hasColours, isSigned, isKnown, spend }: SignRules,
): boolean {
  const { ink } = frame
  const old = shown?.ink.marks.length ?? 0
  if (ink.isOdd || ink.marks.length > MOST_MARKS || old > MOST_MARKS) return false
  spend(piecesOf(ink.marks) * (old + 1))
  const added = ink.marks.filter((mark) => !isShown(mark, shown))
  const paints = added.filter((mark): mark is Paint => mark.kind !== 'text')
  const runs = added.filter((mark): mark is Run => mark.kind === 'text')
  const isSmall = Math.max(frame.width, frame.height) <= LARGEST_SIGN
  return (
    runs.every((run) => isSign(run, isKnown)) &&
    runs.reduce((sum, { letters }) => sum + letters, 0) <= MOST_LETTERS &&
    (isSigned || runs.length === 0 || agrees(runs)) &&
    paints.reduce((sum, { segments, curves }) => sum + segments.length + curves.length, 0) <=
      MOST_LINES &&
    paints.every(
      (paint) =>
        isEdge(paint, frame) ||
        (isSmall && hasColours && paint.kind !== 'picture') ||
        isDarkOrOld(paint, shown),
    ) &&
    isCompact(
      added.filter((mark) => mark.kind === 'text' || !isEdge(mark, frame)),
      shown,
    )
  )
}

/** Whether the widget showed the same letters, line or area before. */
export function isShown(mark: Mark, shown: Frame | undefined): boolean {
  if (!shown) return false
  if (mark.kind !== 'text') return paintsOf(shown.ink).some((old) => isSamePaint(old, mark))
  return runsOf(shown.ink).some(
    (old) =>
      old.text === mark.text &&
      Math.abs(old.start[0] - mark.start[0]) < 0.5 &&
      Math.abs(old.start[1] - mark.start[1]) < 0.5 &&
      Math.abs(old.size - mark.size) < 0.1 &&
      old.mode === mark.mode &&
      old.lightness === mark.lightness,
  )
}

/** Neither an amount nor a mark of one: "9" beside ",000" is no tick. */
const isSign = ({ font, text, mode }: Run, isKnown: (font: LookFont) => boolean) =>
  font !== undefined &&
  !font.isDrawn &&
  (isKnown(font) || (font.drawsSigns && !font.isEmbedded)) &&
  (mode === 0 || mode === 2) &&
  (font.drawsSigns || text === undefined || /^[\p{L}✓✔✗✘☑☒●■\s]*$/u.test(text))

/** What cannot be read does not. Readers that lack a font of signs draw its codes as letters. */
function agrees(runs: readonly Run[]): boolean {
  const texts = runs.map(({ text }) => text)
  if (texts.includes(undefined)) return false
  const word = texts.join('').replace(/\s/g, '').normalize('NFC')
  return ASSENT.test(word) || (runs.every(({ font }) => font?.isDingbats) && TICK.test(word))
}

/** A light area hides what is below it; where there was one already, it hides nothing more. */
const isDarkOrOld = (paint: Paint, shown: Frame | undefined) =>
  paint.kind !== 'picture' &&
  ((paint.lightness !== undefined && paint.lightness <= 0.8) || isOverOldArea(paint, shown))

const isOverOldArea = ({ box }: Paint, shown: Frame | undefined) =>
  shown !== undefined && paintsOf(shown.ink).some((old) => hides(old) && isWithin(box, old.box, 1))

/** All together: digits beside each other are an amount. */
function isCompact(marks: readonly Mark[], shown: Frame | undefined): boolean {
  const seen = marks
    .filter((mark) => mark.kind === 'text' || !isOverOldArea(mark, shown))
    .map((mark) => intersection(extentOf(mark), mark.clip))
  if (seen.length === 0) return true
  const around = boxAround(seen.flatMap(cornersOf))
  return widthOf(around) <= LARGEST_SIGN && heightOf(around) <= LARGEST_SIGN
}

function extentOf(mark: Mark): Box {
  if (mark.kind !== 'text') {
    const half = mark.kind === 'stroke' ? mark.lineWidth / 2 : 0
    const { left, bottom, right, top } = mark.box
    return { left: left - half, bottom: bottom - half, right: right + half, top: top + half }
  }
  const { start, size, mostEnd, lineWidth, mode } = mark
  const half = mode === 2 ? lineWidth / 2 : 0
  const [x, y] = start
  return boxAround([
    [x - half, y - Math.abs(size) * 0.4 - half],
    [Math.max(mostEnd, x + Math.abs(size)) + half, y + Math.abs(size) + half],
  ])
}
