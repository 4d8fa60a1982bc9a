import {
  type Box,
  boxAround,
  heightOf,
  type Point,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Run } from '#server/domain/verification/looks/marks.ts'
import { isUnseen } from './letter-ink.ts'
import {
  besideLetters,
  boxOf,
  CAPITAL,
  hasOutlines,
  isLight,
  isPale,
  isWhite,
  LARGEST_DRAWN,
} from './mark-box.ts'

/* What of a page is letters and digits, and where these are. */

/** Of a font that does not say which letters it has, each may be one; a colour that is not computed may be dark. */
export const isLetter = (mark: Mark) =>
  mark.kind === 'text' && /[\p{L}\p{N}]/u.test(mark.text ?? 'a') && !isSign(mark) && !isHint(mark)

/** The boxes and ticks of a font of signs are no letters, but its digits are: Symbol has those of other fonts. */
const isSign = ({ font, text }: Run) =>
  font?.drawsSigns === true && !font.isDrawn && (font.isDingbats || !/\p{N}/u.test(text ?? ''))

/** Pale words say what to write; a pale 3 is a number. */
const isHint = (run: Run) =>
  isPale(run) &&
  (!hasOutlines(run) || isLight({ lightness: run.outline ?? 0 })) &&
  (!/\p{N}/u.test(run.text ?? '') || isWhite({ lightness: run.lightness }))

/**
 * Programs draw letters as areas, too, some without curves, and call fonts what they like. Boxes are ticked in circles that
 * are printed.
 */
export const isLetterOrOutline = (mark: Mark) =>
  mark.kind === 'text'
    ? isLetter(mark) || (mark.text === undefined && !isHint(mark))
    : mark.kind !== 'picture' &&
      (mark.curves.length > 0 || mark.segments.some(isSlanted)) &&
      !isPale(mark)

/** Also what belongs to a number, as its point. */
export const isSignOrOutline = (mark: Mark) =>
  isLetterOrOutline(mark) || (mark.kind === 'text' && !isHint(mark))

/** Of letters that are drawn. */
export const isOutline = (mark: Mark) =>
  mark.kind !== 'text' && isLetterOrOutline(mark) && !isRoundBox(mark)

/** How large such letters are, as the size of a font: of what is drawn larger, it is not known how many it is. */
export function sizeOfOutline(mark: Mark): number {
  const size = heightOf(boxOf(mark)) / CAPITAL
  return size > LARGEST_DRAWN ? USUAL : size
}
const USUAL = 12

/** As no line of a frame, of a table or to write on is. */
const isSlanted = ([[x1, y1], [x2, y2]]: Segment) =>
  Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) >= LEAST_SLANTED

/** In points: of the smallest strokes of letters. */
const LEAST_SLANTED = 0.5

/** A line with round corners is a box to write in. Digits are not so wide. */
export function isRoundBox(mark: Mark): boolean {
  if (mark.kind !== 'stroke') return false
  const { box, curves, segments } = mark
  return (
    widthOf(box) >= heightOf(box) * LEAST_WIDE &&
    curves.every((curve) => isAtEdge(curve, box, 'across') && isAtEdge(curve, box, 'up')) &&
    segments.every((segment) => isFlatAtEdge(boxAround(segment), box))
  )
}

const LEAST_WIDE = 1.5

/** Whether a part of a box touches one of its sides, or its foot or head. */
const isAtEdge = (part: Box, box: Box, direction: 'across' | 'up') =>
  direction === 'across'
    ? part.left <= box.left + HAIR || part.right >= box.right - HAIR
    : part.bottom <= box.bottom + HAIR || part.top >= box.top - HAIR

const isFlatAtEdge = (line: Box, box: Box) =>
  (widthOf(line) <= HAIR && isAtEdge(line, box, 'across')) ||
  (heightOf(line) <= HAIR && isAtEdge(line, box, 'up'))

/** In points. */
const HAIR = 0.1

/**
 * The places right before and behind a run that begins or ends with a number: what stands there makes it longer. One that
 * a blank follows has ended, if the blank is as wide. Of a font that does not say which letters it has, each may be a digit.
 */
export function endsOfNumber(run: Run): readonly EndOfNumber[] {
  if (isUnseen(run)) return []
  const seen = withoutBlanks(run)
  return (['start', 'end'] as const)
    .filter((side) => NUMBER_AT[side].test(seen.text ?? '0'))
    .map((side) => ({ side, box: besideLetters(seen, side, GAP) }))
}

export type EndOfNumber = { readonly side: 'start' | 'end'; readonly box: Box }

const NUMBER_AT = { start: /^\p{N}/u, end: /\p{N}[.,]?$/u } as const

/** In parts of the size of the letters: less than a blank is wide, and than forms leave before a value. */
const GAP = 0.15

/** From the first letter to the last one, whatever stands behind that. */
function withoutBlanks(run: Run): Run {
  const letters = lettersOf(run)
  if (!letters) return run
  const isSeen = (sign: string) => !BLANK.test(sign)
  const { signs = [], startOf, endOf } = letters
  const first = run.text === undefined ? 0 : signs.findIndex(isSeen)
  const last = run.text === undefined ? run.letters - 1 : signs.findLastIndex(isSeen)
  if (first < 0) return run
  const text = run.text !== undefined && { text: signs.slice(first, last + 1).join('') }
  return { ...run, ...text, start: startOf(first), end: endOf(last) }
}

/** Also signs without a width, which are not seen. */
const BLANK = /^[\s\p{C}]$/u

/** The letters that an instruction writes, by their numbers from 0. */
type Letters = {
  /** Undefined when the font does not say which they are. */
  readonly signs: readonly string[] | undefined
  startOf(at: number): Point
  /** Without what is added behind the letter. */
  endOf(at: number): Point
}

/** Undefined where it is not known which code is which letter. @see ISO 32000-2:2020, 9.4.4 */
export function lettersOf(run: Run): Letters | undefined {
  const { text, codes, letters, font, start, sides, gaps } = run
  const signs = text === undefined ? undefined : [...text]
  const isPlain = codes.length % letters === 0 && (signs?.length ?? letters) === letters
  if (!font || !isPlain) return undefined
  const bytes = codes.length / letters
  const part = (from: number, to: number) => codes.subarray(from * bytes, to * bytes)
  const widthOf = (some: Uint8Array) => font.measure(some).likely
  const pointAt = (ems: number): Point => [
    start[0] + ems * sides[0][0],
    start[1] + ems * sides[0][1],
  ]
  // One is mostly asked for behind another.
  let known = { at: 0, ems: 0 }
  const before = (at: number): number => {
    const from = at < known.at ? { at: 0, ems: 0 } : known
    const some = part(from.at, at)
    const blanks = some.reduce((sum, byte) => sum + (byte === 0x20 ? 1 : 0), 0)
    const added = (at - from.at) * gaps.letter + blanks * gaps.blank
    known = { at, ems: from.ems + widthOf(some) + added }
    return known.ems
  }
  return {
    signs,
    startOf: (at) => pointAt(before(at)),
    endOf: (at) => pointAt(before(at) + widthOf(part(at, at + 1))),
  }
}
