import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isName,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { isHidden } from '#server/domain/verification/changes/signature-field-rule.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import {
  type Box,
  boxAround,
  boxIn,
  cornersOf,
  grownBy,
  heightOf,
  meets,
  overlaps,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { type Mark, type Run, runsOf } from '#server/domain/verification/looks/marks.ts'
import { type BySquare, bySquare } from './by-square.ts'
import { lossOf, spendOn } from './content-loss.ts'
import { boxOf, isLight, isWhite, THIN } from './mark-box.ts'
import { pageAnnotations, type ShownAnnotation } from './page-annotations.ts'
import { signedContents } from './signed-content.ts'
import { type Turn, turnedBack, turnOf } from './turned-back.ts'

/** Which part of their size letters may be off without touching others. */
const APART = 0.2

/**
 * Whether a widget of a filled field writes over letters that were signed, of its page or of another annotation: an 8
 * over a 3 makes another number. A box may not draw over them either. Lines, points to write on, printed boxes and
 * pale hints without digits are there to be written over. What the field showed when it was signed excuses nothing: it
 * may have been unseen.
 *
 * @param field as it is now
 */
export function writesOverLetters(
  comparison: Comparison,
  { number, field }: { number: number; field: FormField },
  page: PdfPage,
): boolean {
  const turn = turnOf(comparison.before, page)
  const drawn = inkOf(comparison.after, { number, field, turn })
  if (drawn.length === 0) return false
  const own = new Set(field.widgets.map((widget) => widget.number))
  const isBelow = field.type === 'Btn' ? isLetter : isLetterOrOutline
  const skips = ({ number: other = 0 }: ShownAnnotation) => own.has(other)
  const marks = signedMarks(comparison, page, { drawn, skips })
  return isDrawnOver(comparison, drawn, marks.filter(isBelow))
}

/**
 * Whether the look of a later signature writes letters over signed ones that are not much larger. What people draw by
 * hand crosses text often, and is seen to.
 */
export function signsOverLetters(comparison: Comparison, number: number, page: PdfPage): boolean {
  const drawn = lettersOf(comparison.after, number)
  if (drawn.length === 0) return false
  const boxes = drawn.map(({ box }) => box)
  const skips = ({ isSignature }: ShownAnnotation) => isSignature
  const marks = signedMarks(comparison, page, { drawn: boxes, skips })
  const letters = runsOf({ marks: marks.filter(isLetter) })
  spendOn(comparison, drawn.length * letters.length)
  return drawn.some(({ box, size }) =>
    letters.some(
      (run) => Math.abs(run.size) * MUCH_SMALLER <= size && lossOf(run, box) === 'hidden',
    ),
  )
}

/** Letters of such a part of the size of others make no other letters of them. */
const MUCH_SMALLER = 0.5

/**
 * Whether a note or a mark that was added later draws over signed letters, or over a picture that may have some: with a
 * stroke a 1 becomes a 7. Lines along the text and areas that only colour it leave it as it was.
 */
export function scribblesOverLetters(
  comparison: Comparison,
  number: number,
  page: PdfPage,
): boolean {
  const drawn = scribblesOf(comparison.after, number)
  if (drawn.length === 0) return false
  const marks = signedMarks(comparison, page, { drawn, skips: () => false })
  const pictures = marks.filter(({ kind }) => kind === 'picture').map(boxOf)
  return (
    isDrawnOver(comparison, drawn, marks.filter(isLetterOrOutline)) ||
    drawn.some((box) => pictures.some((picture) => overlaps(box, picture)))
  )
}

/** Of a page, and of the annotations near to what is drawn, but for those that are skipped. */
function signedMarks(
  comparison: Comparison,
  page: PdfPage,
  { drawn, skips }: { drawn: readonly Box[]; skips(one: ShownAnnotation): boolean },
): Mark[] {
  const around = boxAround(drawn.flatMap(cornersOf))
  const near = comparison.once(keptAnnotations)(page)(around)
  const others = [...near]
    .filter((one) => meets(one.box, around) && !skips(one))
    .flatMap((one) => one.content().marks)
  const { marks } = comparison.once(signedContents)(page)
  spendOn(comparison, near.size + marks.length + others.length)
  return [...marks, ...others]
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

function isDrawnOver(comparison: Comparison, drawn: readonly Box[], letters: readonly Mark[]) {
  spendOn(comparison, drawn.length * letters.length)
  return drawn.some((box) => letters.some((mark) => lossOf(mark, box) === 'hidden'))
}

/** Of a font that does not say which letters it has, each may be one; a colour that is not computed may be dark. */
const isLetter = (mark: Mark) =>
  mark.kind === 'text' &&
  mark.font?.drawsSigns !== true &&
  /[\p{L}\p{N}]/u.test(mark.text ?? 'a') &&
  !isHint(mark)

/** Pale words say what to write; a pale 3 is a number. */
const isHint = ({ text, lightness = 0 }: Run) =>
  isLight({ lightness }) && (!/\p{N}/u.test(text ?? '') || isWhite({ lightness }))

/** Programs draw letters as areas, too. Boxes are ticked in circles that are printed. */
const isLetterOrOutline = (mark: Mark) =>
  isLetter(mark) ||
  (mark.kind !== 'text' &&
    mark.kind !== 'picture' &&
    mark.curves.length > 0 &&
    !isLight({ lightness: mark.lightness ?? 0 }))

type Written = { number: number; field: FormField; turn: Turn }

/** Where on its page a widget writes, and where a box draws. */
function inkOf(document: PdfDocument, { number, field, turn }: Written): Box[] {
  const widget = entriesOf(document.object(number)?.value)
  const place = boxIn(document, widget.get('Rect'))
  if (!place) return []
  const look = shownLook(document, widget)
  // Then readers write it, each in its own place.
  if (!look) return isEmpty(document.resolve(field.value)) ? [] : [place]
  const { ink, turn: turnOfLook } = frameOf(document, widget, look)
  const seen = ink.marks.filter((mark) =>
    mark.kind === 'text' ? mark.text?.trim() !== '' : field.type === 'Btn',
  )
  const elsewhere = turnedBack(document, widget, { place, turn })
  if (seen.length > 0 && elsewhere) return [place, elsewhere]
  if (seen.length > 0 && turnOfLook !== 0) return [place]
  return seen.map((mark) => onPage(mark, place))
}

/** Where on its page a note or a mark draws something else than lines and areas that only colour it. */
function scribblesOf(document: PdfDocument, number: number): Box[] {
  const note = entriesOf(document.object(number)?.value)
  const [place, look] = [boxIn(document, note.get('Rect')), shownLook(document, note)]
  if (!place || !look) return []
  const { drawn, turn } = frameOf(document, note, look)
  const scribbles = drawn.marks.filter((mark) => !isLine(mark) && !isTint(mark))
  if (scribbles.length > 0 && turn !== 0) return [place]
  return scribbles.map((mark) => onPage(mark, place))
}

/** Where on its page a look writes letters, and how large they are. */
function lettersOf(document: PdfDocument, number: number): { box: Box; size: number }[] {
  const widget = entriesOf(document.object(number)?.value)
  const [place, look] = [boxIn(document, widget.get('Rect')), shownLook(document, widget)]
  if (!place || !look) return []
  const { drawn, turn } = frameOf(document, widget, look)
  const letters = runsOf({ marks: drawn.marks.filter(isLetter) })
  return letters.map((run) => ({
    box: turn === 0 ? onPage(run, place) : place,
    size: Math.abs(run.size),
  }))
}

/** Too long for a letter and too low for one, as a line or a wave below a word. */
const isLong = (box: Box) =>
  Math.max(widthOf(box), heightOf(box)) >= LENGTH &&
  Math.min(widthOf(box), heightOf(box)) <= 2 * THIN

/** In points: longer than most strokes of letters, and no longer than most words. */
const LENGTH = 10

const isLine = (mark: Mark) =>
  mark.kind === 'stroke' &&
  (isLong(boxOf(mark)) ||
    (mark.curves.length === 0 &&
      mark.segments.every((segment) => isLong(grownBy(boxAround(segment), mark.lineWidth / 2)))))

/** As a highlight: what is below is seen through it. */
const isTint = (mark: Mark) =>
  mark.kind === 'fill' &&
  !mark.covers &&
  widthOf(mark.box) > 2 * THIN &&
  heightOf(mark.box) > 2 * THIN

const isEmpty = (value: PdfObject) =>
  value === null || (isString(value) && value.bytes.length === 0) || isNamed(value, 'Off')

/** The look of its state, if it has several. */
function shownLook(document: PdfDocument, widget: Entries): PdfStream | undefined {
  const written = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  const state = document.resolve(widget.get('AS'))
  const look = isName(state) ? document.resolve(entriesOf(written).get(state.value)) : null
  return [written, look].find(isStream)
}

type Entries = ReadonlyMap<string, PdfObject>

const onPage = (mark: Mark, { left, bottom }: Box): Box => {
  const box = mark.kind === 'text' ? grownBy(boxOf(mark), -mark.size * APART) : boxOf(mark)
  return {
    left: box.left + left,
    right: box.right + left,
    bottom: box.bottom + bottom,
    top: box.top + bottom,
  }
}
