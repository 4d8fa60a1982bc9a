import type { FormField } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isNamed, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { isHidden } from '#server/domain/verification/changes/signature-field-rule.ts'
import {
  type Box,
  boxAround,
  boxIn,
  cornersOf,
  crosses,
  grownBy,
  heightOf,
  intersection,
  isWithin,
  meets,
  overlaps,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { type Mark, type Run, runsOf } from '#server/domain/verification/looks/marks.ts'
import { type BySquare, bySquare } from './by-square.ts'
import { changedPaint } from './changed-paint.ts'
import { lossOf, spendOn } from './content-loss.ts'
import { drawnBy, shownLook } from './drawn-looks.ts'
import { extentOf, isUnseen } from './letter-ink.ts'
import {
  type EndOfNumber,
  endsOfNumber,
  isLetter,
  isLetterOrOutline,
  isOutline,
  isRoundBox,
  isSignOrOutline,
  sizeOfOutline,
} from './letters.ts'
import {
  boxOf,
  CAPITAL,
  heightOfLetters,
  isAlongAxes,
  isPale,
  isWhite,
  lettersBox,
  TAIL,
  THIN,
} from './mark-box.ts'
import { pageAnnotations, type ShownAnnotation } from './page-annotations.ts'
import { isPrintedIn } from './printed-picture.ts'
import { isRepeatedBy } from './same-look.ts'
import { signedContents } from './signed-content.ts'
import { type Turn, turnedBack, turnOf } from './turned-back.ts'

/** Which part of their size letters may be off without touching others. */
const APART = 0.2

/**
 * Whether a widget of a filled field changes letters that were signed, of its page or of another annotation: it writes
 * over them or right beside a number, hides them, or no longer hides them. An 8 over a 3 makes another number, and so does a
 * 0 behind it. A box may not draw over them either. Lines, points to write on, printed boxes and pale hints without digits
 * are there to be written over. What the field wrote when it was signed excuses nothing: it may have been unseen. What a
 * signature writes is judged with its look.
 *
 * @param field as it is now
 */
export function writesOverLetters(
  comparison: Comparison,
  { number, field }: { number: number; field: FormField },
  page: PdfPage,
): boolean {
  const turn = turnOf(comparison.before, page)
  const { drawn, written, paint, isExact } = inkOf(comparison, { number, field, turn })
  if (drawn.length === 0) return false
  const own = new Set(field.widgets.map((widget) => widget.number))
  const isBox = field.type === 'Btn'
  const isSaying = isBox ? isLetter : isLetterOrOutline
  const skips = ({ number: other = 0 }: ShownAnnotation) => own.has(other)
  const bodies = isBox ? [] : written.map(withTails)
  const places = isExact ? [...bodies, ...paint.filter(isThick)] : drawn
  const near = [...drawn, ...bodies]
  const { marks, unread } = signedMarks(comparison, page, { drawn: near, skips })
  const letters = marks.filter(isSaying)
  const lengthening = { written: isBox ? written.filter(isLetter) : written, paint }
  return (
    isDrawnOver(comparison, drawn, { letters, unread }) ||
    isPaintedOver(comparison, paint, isBox ? letters : marks.filter(isSignOrOutline)) ||
    (!isBox && isOverUnread(comparison, page, { places, marks })) ||
    isLengthened(comparison, runsOf({ marks }).filter(isLetter), lengthening)
  )
}

/**
 * Whether the look of a later signature writes over signed letters that are not much larger, or right beside a number:
 * a minus makes another number of it, and a bar an 8 of a 3.
 */
export function signsOverLetters(comparison: Comparison, number: number, page: PdfPage): boolean {
  const written = runsOf({ marks: drawnBy(comparison.after, number) }).filter(
    (run) => isWritten(run) && !isUnseen(run),
  )
  if (written.length === 0) return false
  const drawn = written.map((run) => {
    const ink = inkBoxOf(run)
    return { run, ink, place: boxAround([ink, bodyOf(run)].flatMap(cornersOf)) }
  })
  const isRepeated = isRepeatedBy(comparison, number)
  const places = drawn.map(({ place }) => place)
  const { marks, unread } = signedMarks(comparison, page, { drawn: places, skips: isRepeated })
  const letters = runsOf({ marks: marks.filter(isLetter) }).map((signed) => ({
    signed,
    reach: farthestOf(signed),
    ends: endsOfNumber(signed),
  }))
  // Two people who sign beside each other may cross the strokes of the other.
  const outlines = signedMarks(comparison, page, {
    drawn: places,
    skips: (one) => one.isSignature || isRepeated(one),
  }).marks.filter(isOutline)
  spendOn(comparison, drawn.length * (letters.length + outlines.length + unread.length))
  return drawn.some(
    ({ run, ink, place }) =>
      unread.some((box) => overlaps(box, ink)) ||
      outlines.some((mark) => isAsLarge(run, sizeOfOutline(mark)) && isBelow(mark, ink)) ||
      letters.some(
        ({ signed, reach, ends }) =>
          meets(reach, place) &&
          isAsLarge(run, heightOfLetters(signed)) &&
          (isBelow(signed, ink) || lengthens({ signed, ends }, run)),
      ),
  )
}

/** Letters of a smaller part of the size of others make no other letters of them. */
const isAsLarge = (run: Run, size: number) => size * MUCH_SMALLER <= heightOfLetters(run)
const MUCH_SMALLER = 0.5

type SignedMarks = {
  readonly marks: readonly Mark[]
  /** The places of annotations that were not read to their end: each may be a letter. */
  readonly unread: readonly Box[]
}

/** Of a page, and of the annotations near to what is drawn, but for those that are skipped. */
export function signedMarks(
  comparison: Comparison,
  page: PdfPage,
  { drawn, skips }: { drawn: readonly Box[]; skips(one: ShownAnnotation): boolean },
): SignedMarks {
  const around = boxAround(drawn.flatMap(cornersOf))
  const near = comparison.once(keptAnnotations)(page)(around)
  spendOn(comparison, near.size)
  const others = [...near].filter((one) => meets(one.box, around) && !skips(one))
  const unread = others.filter((one) => !one.content().isWhole).map(({ box }) => box)
  const marks = [
    ...comparison.once(reachOfContents)(page),
    ...others.flatMap((one) => one.content().marks).map(withReach),
  ]
  spendOn(comparison, marks.length)
  // Each is compared with all that is drawn: few of a page are near to it.
  const nearby = marks.filter(({ reach }) => meets(reach, around)).map(({ mark }) => mark)
  return { marks: withSeenOnGrounds(comparison, nearby), unread }
}

/** Pale letters and lines are seen on a dark area, and white ones on a picture: they are no hints. */
function withSeenOnGrounds(comparison: Comparison, marks: readonly Mark[]): readonly Mark[] {
  const grounds = marks.flatMap((mark, at) => (isGround(mark) ? [{ mark, at }] : []))
  const pale = grounds.length > 0 ? marks.filter(isPale) : []
  spendOn(comparison, pale.length * grounds.length)
  const isSeen = (one: Mark, above: number) =>
    isPale(one) &&
    grounds.some(
      ({ mark, at }) =>
        at < above && (mark.kind !== 'picture' || isWhite(one)) && isInkIn(mark, boxOf(one)),
    )
  return marks.map((mark, at) => (isSeen(mark, at) ? { ...mark, isRecoloured: true } : mark))
}

/** Lines are grounds only where they are wide enough for letters. */
const isGround = (mark: Mark) =>
  mark.kind === 'picture' || (!isPale(mark) && (mark.kind !== 'stroke' || mark.lineWidth > THIN))

function isInkIn(mark: Mark, box: Box): boolean {
  const reached = intersection(box, mark.clip)
  if (mark.kind !== 'stroke')
    return (
      meets(boxOf(mark), reached) &&
      (mark.kind !== 'text' || heightOf(boxOf(mark)) > heightOf(box) * LARGER)
    )
  const around = grownBy(reached, mark.lineWidth / 2)
  return (
    mark.segments.some((segment) => crosses(segment, around)) ||
    mark.curves.some((curve) => meets(curve, around))
  )
}

/** How much higher a sign is than the letters that stand on it: words of one size stand beside each other. */
const LARGER = 1.25

type Reaching = { readonly mark: Mark; readonly reach: Box }

const withReach = (mark: Mark): Reaching => ({ mark, reach: farthestOf(mark) })

/** The marks of a page, which many signatures and fields are compared with. For `once`. */
function reachOfContents(comparison: Comparison): (page: PdfPage) => readonly Reaching[] {
  const known = new Map<PdfPage, readonly Reaching[]>()
  return (page) => {
    const marks = known.get(page) ?? comparison.once(signedContents)(page).marks.map(withReach)
    known.set(page, marks)
    return marks
  }
}

/** Around all that a mark may reach. */
function farthestOf(mark: Mark): Box {
  if (mark.kind !== 'text') return boxOf(mark)
  const box = grownBy(boxOf(mark), mark.slack + heightOfLetters(mark) * APART)
  return mark.font?.isDrawn ? boxAround([box, extentOf(mark)].flatMap(cornersOf)) : box
}

/**
 * The annotations of a page that still show what they showed, by their place: what became of another filled field is
 * said of that one. For `once`.
 */
function keptAnnotations(comparison: Comparison): (page: PdfPage) => BySquare<ShownAnnotation> {
  const known = new Map<PdfPage, BySquare<ShownAnnotation>>()
  return (page) => {
    const kept =
      known.get(page) ??
      bySquare(
        comparison.before
          .once(pageAnnotations)(page)
          .filter((one) => isKept(comparison, one)),
        ({ box }) => box,
      )
    known.set(page, kept)
    return kept
  }
}

const isKept = ({ before, changed }: Comparison, { number }: ShownAnnotation): boolean =>
  number === undefined ||
  (!changed.has(number) && !isHidden(before, entriesOf(before.object(number)?.value)))

function isDrawnOver(
  comparison: Comparison,
  drawn: readonly Box[],
  { letters, unread }: { letters: readonly Mark[]; unread: readonly Box[] },
): boolean {
  spendOn(comparison, drawn.length * (letters.length + unread.length))
  return drawn.some(
    (box) =>
      unread.some((place) => overlaps(place, box)) ||
      letters.some((mark) => isBelow(mark, box) && !isBoxAround(mark, box)),
  )
}

/** Without its minus or its point a number is another one, and with a stroke at its head a 1 is a 7. */
function isPaintedOver(comparison: Comparison, paint: readonly Box[], letters: readonly Mark[]) {
  spendOn(comparison, paint.length * letters.length)
  return paint.some((box) => letters.some((mark) => isReached(mark, box)))
}

/** Whether a mark is below, the head of a digit too. */
export const isReached = (mark: Mark, box: Box) =>
  isBelow(mark, box) ||
  (mark.kind === 'text' &&
    isLetter(mark) &&
    isAlongAxes(mark) &&
    overlaps(lettersBox(mark, { below: 0, above: HEAD }), box))

/** In parts of the size of the letters. */
const HEAD = 0.75

const isThick = (box: Box) => Math.min(widthOf(box), heightOf(box)) > 2 * THIN

/** Whether something is written over a page that is not read to its end, or over what a picture shows. */
function isOverUnread(
  comparison: Comparison,
  page: PdfPage,
  { places, marks }: { places: readonly Box[]; marks: readonly Mark[] },
): boolean {
  const pictures = marks.flatMap((mark) =>
    mark.kind !== 'text' && (mark.kind === 'picture' || mark.shading) ? [mark] : [],
  )
  spendOn(comparison, places.length * pictures.length)
  return (
    comparison.once(signedContents)(page).isUnread ||
    isPrintedIn(comparison.before, pictures, places)
  )
}

function isLengthened(
  comparison: Comparison,
  signed: readonly Run[],
  { written, paint }: { written: readonly Run[]; paint: readonly Box[] },
): boolean {
  spendOn(comparison, signed.length * (written.length + paint.length))
  if (written.length + paint.length === 0) return false
  const numbers = signed.map((one) => ({ signed: one, ends: endsOfNumber(one) }))
  return numbers.some(
    (one) =>
      written.some((run) => lengthens(one, run)) ||
      one.ends.some((end) => paint.some((box) => overlaps(end.box, box))),
  )
}

type SignedNumber = { readonly signed: Run; readonly ends: readonly EndOfNumber[] }

/** Whether letters stand so near to the end of a number, and as upright, that both are read as one. */
function lengthens({ signed, ends }: SignedNumber, drawn: Run): boolean {
  if (ends.length === 0 || !areTurnedAlike(signed, drawn)) return false
  const box = bodyOf(drawn)
  return ends.some(
    ({ side, box: place }) => MEETS_AT[side].test(drawn.text ?? 'a') && overlaps(place, box),
  )
}

/** From the foot of letters to the head of digits. */
const bodyOf = (run: Run): Box =>
  isAlongAxes(run) ? lettersBox(run, { below: 0, above: CAPITAL }) : boxOf(run)

/** The same with the tails of letters, where there are any. */
const withTails = (run: Run): Box =>
  isAlongAxes(run) && HAS_TAILS.test(run.text ?? 'g')
    ? lettersBox(run, { below: TAIL, above: CAPITAL })
    : bodyOf(run)

const HAS_TAILS = /[^\s\p{N}A-IK-PR-Za-fhik-or-xz.:%+-]/u

const areTurnedAlike = ({ sides: [, a] }: Run, { sides: [, b] }: Run) =>
  a[0] * b[0] + a[1] * b[1] > Math.hypot(...a) * Math.hypot(...b) * ALIKE

/** The cosine of a quarter of a right angle, about. */
const ALIKE = 0.9

/** Of letters that stand before a number the last one counts, of those behind it the first one. */
const MEETS_AT = { start: /\S$/u, end: /^\S/u } as const

/** Letters that are made by instructions reach as far as their font says. */
export const isBelow = (mark: Mark, box: Box) =>
  // White lines are seen as well where something makes them darker.
  lossOf(mark.isRecoloured ? { ...mark, lightness: undefined } : mark, box) === 'hidden' ||
  (mark.kind === 'text' && mark.font?.isDrawn === true && overlaps(extentOf(mark), box))

const isBoxAround = (mark: Mark, drawn: Box) =>
  mark.kind === 'stroke' && isWithin(drawn, mark.box, 0) && isRoundBox(mark)

type Written = { number: number; field: FormField; turn: Turn }

type Drawn = {
  readonly drawn: readonly Box[]
  /** What it writes, if that is known. */
  readonly written: readonly Run[]
  /** Of the boxes, where it paints what it did not, or no longer paints. */
  readonly paint: readonly Box[]
  /** Not somewhere in the boxes, but in all of each. */
  readonly isExact: boolean
}

/** Where on its page a widget writes, and where its paint changes. */
function inkOf({ before, after }: Comparison, { number, field, turn }: Written): Drawn {
  const { added, gone } = changedPaint({ before, after }, number)
  const [isText, isSignature] = [field.type !== 'Btn', field.type === 'Sig']
  const paint = isSignature ? gone : [...added, ...gone]
  const written = isSignature ? [] : runsOf({ marks: drawnBy(after, number) }).filter(isWritten)
  const somewhere = (...drawn: readonly Box[]) => ({ drawn, written, paint, isExact: false })
  const widget = entriesOf(after.object(number)?.value)
  const place = boxIn(after, widget.get('Rect'))
  if (!place) return somewhere()
  // Then readers write it, each in its own place.
  if (isText && !isSignature && !shownLook(after, widget) && !isEmpty(after.resolve(field.value)))
    return somewhere(place)
  const drawn = [...written.map(inkBoxOf), ...paint]
  const elsewhere = turnedBack(after, widget, { place, turn })
  return drawn.length > 0 && elsewhere
    ? somewhere(place, elsewhere)
    : { drawn, written, paint, isExact: true }
}

const isWritten = ({ text }: Run) => text?.trim() !== ''

const isEmpty = (value: PdfObject) =>
  value === null || (isString(value) && value.bytes.length === 0) || isNamed(value, 'Off')

/** Where a mark draws, without the room around letters. */
export const inkBoxOf = (mark: Mark): Box =>
  mark.kind === 'text' ? grownBy(boxOf(mark), -heightOfLetters(mark) * APART) : boxOf(mark)
