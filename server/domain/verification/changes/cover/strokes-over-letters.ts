import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { shownBox } from '#server/domain/verification/changes/widget-places.ts'
import {
  type Box,
  grownBy,
  heightOf,
  meets,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { type Mark, type Run, runsOf } from '#server/domain/verification/looks/marks.ts'
import { spendOn } from './content-loss.ts'
import type { CoveringLook } from './covering-ink.ts'
import { drawnBy } from './drawn-looks.ts'
import { laterInk } from './later-ink.ts'
import { extentOf, isUnseen } from './letter-ink.ts'
import { endsOfNumber, isLetter, isOutline, lettersOf, sizeOfOutline } from './letters.ts'
import { isBelow, signedMarks } from './letters-below.ts'
import { boxOf, heightOfLetters, isAlongAxes, lettersBox, THIN } from './mark-box.ts'
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
  const runs = runsOf({ marks: near(() => false) })
    .filter(isSeenLetter)
    .filter((run) => meets(reachOf(run), place))
  // Two people who sign beside each other may cross the strokes of the other.
  const outlines = near(({ isSignature }) => isSignature)
    .filter(isOutline)
    .filter((mark) => meets(boxOf(mark), place))
  if (runs.length === 0 && outlines.length === 0) return false
  const letters = runs.map((run) => readable(comparison, run))
  const pieces = piecesOfInk(drawnBy(after, number), {
    shown: shownBox(before, page.inherited) ?? place,
    covers: comparison.once(laterInk)(page, look).otherAreas(),
    spend: (pairs) => spendOn(comparison, pairs),
  })
  spendOn(comparison, pieces.length * (letters.length + outlines.length))
  return pieces.some((piece) => {
    const box = grownBy(piece.box, HAIR)
    return (
      letters.some((one) => meets(reachOf(one.run), box) && altersRun(comparison, piece, one)) ||
      outlines.some((mark) => meets(boxOf(mark), box) && altersOutline(comparison, piece, mark))
    )
  })
}

const isSeenLetter = (run: Run) => isLetter(run) && !isUnseen(run)

/** Of such a multiple of the size of letters, ink is a sign or a line of its own. */
const MUCH_LARGER = 2

const isSmall = ({ box }: Piece, size: number) => longerSideOf(box) <= MUCH_LARGER * size

/** A run with the places that ink would make other letters of. */
type Readable = {
  readonly run: Run
  readonly bodies: readonly Box[]
  readonly ends: readonly Box[]
  digits(): readonly Box[]
}

function readable(comparison: Comparison, run: Run): Readable {
  let known: readonly Box[] | undefined
  const ends = endsOfNumber(run).map(({ box }) => box)
  const digits = () => {
    known ??= digitsOf(run)
    spendOn(comparison, known.length)
    return known
  }
  return { run, bodies: bodiesOf(run), ends, digits }
}

function altersRun(comparison: Comparison, piece: Piece, { run, ...places }: Readable): boolean {
  const bodies = piece.kind === 'area' ? [] : places.bodies
  const boxes = isSmall(piece, heightOfLetters(run)) ? [...bodies, ...places.ends] : []
  const digits = piece.kind !== 'ink' || isAlong(piece, run) ? [] : places.digits()
  const altered = boxes.length > 0 ? boxes : digits
  spendOn(comparison, piece.parts.length * altered.length)
  return piece.parts.some((part) => altered.some((place) => meets(place, grownBy(part, HAIR))))
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
function digitsOf(run: Run): readonly Box[] {
  if (run.text === undefined) return bodiesOf(run)
  if (!/\p{N}/u.test(run.text)) return []
  const letters = isAlongAxes(run) ? lettersOf(run) : undefined
  if (!letters?.signs) return bodiesOf(run)
  const { signs, startOf, endOf } = letters
  return numbersIn(signs).flatMap(([from, to]) => {
    const [first, last] = [Math.max(0, from - 1), Math.min(to, signs.length - 1)]
    return bodiesOf({ ...run, start: startOf(first), end: endOf(last) })
  })
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

function altersOutline(comparison: Comparison, piece: Piece, mark: Mark): boolean {
  if (piece.kind === 'area' || !isSmall(piece, sizeOfOutline(mark))) return false
  spendOn(comparison, piece.parts.length)
  return piece.parts.some((part) => isBelow(mark, grownBy(part, AROUND)))
}

/** In points: an edge that is so near to a line is below it. */
const AROUND = 1.5
