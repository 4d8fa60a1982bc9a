import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { shownBox } from '#server/domain/verification/changes/widget-places.ts'
import {
  type Box,
  grownBy,
  heightOf,
  meets,
  type Point,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { type Mark, type Run, runsOf } from '#server/domain/verification/looks/marks.ts'
import { spendOn } from './content-loss.ts'
import type { CoveringLook } from './covering-ink.ts'
import { laterInk } from './later-ink.ts'
import { extentOf, isUnseen } from './letter-ink.ts'
import {
  drawnBy,
  endsOfNumber,
  isBelow,
  isLetter,
  isLetterOrOutline,
  isRoundBox,
  signedMarks,
} from './letters-below.ts'
import {
  boxOf,
  CAPITAL,
  heightOfLetters,
  isAlongAxes,
  LARGEST_DRAWN,
  lettersBox,
  THIN,
} from './mark-box.ts'
import type { ShownAnnotation } from './page-annotations.ts'
import { longerSideOf, type Piece, piecesOfInk } from './pieces-of-ink.ts'
import { isRepeatedBy } from './same-look.ts'

/**
 * Whether the look of a later signature draws over signed letters, or right beside a number, what may make others of
 * them. What people draw by hand crosses words often: strokes that are much larger than letters leave words as they
 * were, and pictures show them. Over digits they leave a doubt, unless they are lines along the text.
 */
export function drawsOverLetters(
  comparison: Comparison,
  number: number,
  { page, look }: { page: PdfPage; look: CoveringLook },
): boolean {
  const { before, after } = comparison
  const { place } = look
  const isRepeated = isRepeatedBy(comparison, number)
  const near = (isLeftOut: (one: ShownAnnotation) => boolean) =>
    signedMarks(comparison, page, {
      drawn: [place],
      skips: (one) => isLeftOut(one) || isRepeated(one),
    }).marks
  const letters = runsOf({ marks: near(() => false) })
    .filter(isSeenLetter)
    .filter((run) => meets(reachOf(run), place))
  // Two people who sign beside each other may cross the strokes of the other.
  const outlines = near(({ isSignature }) => isSignature)
    .filter(isOutline)
    .filter((mark) => meets(boxOf(mark), place))
  if (letters.length === 0 && outlines.length === 0) return false
  const pieces = piecesOfInk(drawnBy(after, number), {
    shown: shownBox(before, page.inherited) ?? place,
    covers: comparison.once(laterInk)(page, look).otherAreas(),
    spend: (pairs) => spendOn(comparison, pairs),
  })
  spendOn(comparison, pieces.length * (letters.length + outlines.length))
  return pieces.some((piece) => {
    const box = grownBy(piece.box, HAIR)
    return (
      letters.some((run) => meets(reachOf(run), box) && altersRun(comparison, piece, run)) ||
      outlines.some((mark) => meets(boxOf(mark), box) && altersOutline(comparison, piece, mark))
    )
  })
}

const isSeenLetter = (run: Run) => isLetter(run) && !isUnseen(run)

const isOutline = (mark: Mark) =>
  mark.kind !== 'text' && isLetterOrOutline(mark) && !isRoundBox(mark)

/** Of such a multiple of the size of letters, ink is a sign or a line of its own. */
const MUCH_LARGER = 2

const isSmall = ({ box }: Piece, size: number) => longerSideOf(box) <= MUCH_LARGER * size

function altersRun(comparison: Comparison, piece: Piece, run: Run): boolean {
  const ends = endsOfNumber(run).map(({ box }) => box)
  const bodies = piece.kind === 'area' ? [] : bodiesOf(run)
  const boxes = isSmall(piece, heightOfLetters(run)) ? [...bodies, ...ends] : []
  const digits = piece.kind !== 'ink' || isAlong(piece, run) ? [] : digitsOf(run)
  const places = boxes.length > 0 ? boxes : digits
  spendOn(comparison, piece.parts.length * places.length)
  return piece.parts.some((part) => places.some((place) => meets(place, grownBy(part, HAIR))))
}

/** All that is near enough to a run to belong to it. */
const reachOf = (run: Run) => grownBy(extentOf(run), run.slack + heightOfLetters(run))

/** In points: strokes as thin as hairs are seen, too. */
const HAIR = 0.1

/** Where letters are, with their heads and tails. */
const bodiesOf = (run: Run): Box[] => {
  if (run.font?.isDrawn) return [extentOf(run)]
  return isAlongAxes(run)
    ? [lettersBox(run, { below: TAIL, above: HEAD, slack: run.slack })]
    : [boxOf(run)]
}
/** In parts of the size of the letters. */
const [TAIL, HEAD] = [0.2, 0.75] as const

/** The places of the digits of a run, and of the letters beside them; all of it where the font does not say which these are. */
function digitsOf(run: Run): Box[] {
  const { text, codes, letters, font, start, end } = run
  if (text === undefined) return bodiesOf(run)
  if (!/\p{N}/u.test(text)) return []
  const signs = [...text]
  const isPlain = signs.length === letters && codes.length % letters === 0 && isAlongAxes(run)
  if (!isPlain || !font) return bodiesOf(run)
  const bytes = codes.length / letters
  const whole = font.measure(codes).likely || 1
  const pointBefore = (at: number): Point => {
    const part = font.measure(codes.subarray(0, Math.max(0, at) * bytes)).likely / whole
    return [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])]
  }
  return numbersIn(signs).flatMap(([from, to]) =>
    bodiesOf({ ...run, start: pointBefore(from - 1), end: pointBefore(to + 1) }),
  )
}

/** From the first sign of each number to behind its last one. */
function numbersIn(signs: readonly string[]): [from: number, to: number][] {
  const numbers: [number, number][] = []
  for (const [at, sign] of signs.entries()) {
    if (!/\p{N}/u.test(sign)) continue
    const last = numbers.at(-1)
    if (last && last[1] >= at - 1) last[1] = at + 1
    else numbers.push([at, at + 1])
  }
  return numbers
}

/** A thin line along the text, below it or through it. */
function isAlong({ box }: Piece, { sides: [along] }: Run): boolean {
  const isUpwards = Math.abs(along[1]) > Math.abs(along[0])
  const [length, width] = isUpwards ? [heightOf(box), widthOf(box)] : [widthOf(box), heightOf(box)]
  return width <= 2 * THIN && length > width
}

/** Of what is drawn larger than letters, it is not known how many it is. */
const USUAL = 12

function altersOutline(comparison: Comparison, piece: Piece, mark: Mark): boolean {
  const size = heightOf(boxOf(mark)) / CAPITAL
  if (piece.kind === 'area' || !isSmall(piece, size > LARGEST_DRAWN ? USUAL : size)) return false
  spendOn(comparison, piece.parts.length)
  return piece.parts.some((part) => isBelow(mark, grownBy(part, AROUND)))
}

/** In points: an edge that is so near to a line is below it. */
const AROUND = 1.5
