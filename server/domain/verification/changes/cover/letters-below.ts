import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isName,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import { type Box, boxIn, grownBy } from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Run } from '#server/domain/verification/looks/marks.ts'
import { lossOf, spendOn } from './content-loss.ts'
import { boxOf, isLight } from './mark-box.ts'
import { signedContents } from './signed-content.ts'

/** Which part of their size letters may be off without touching others. */
const APART = 0.2

/**
 * Whether a filled field writes or draws over letters of its page that were signed, and did not when it was signed: an 8
 * over a 3 makes another number. Lines, points to write on, pale hints and printed boxes are there to be written over.
 */
export function writesOverLetters(comparison: Comparison, widget: number, page: PdfPage): boolean {
  const { before, after } = comparison
  const drawn = placesOf(after, widget)
  if (drawn.length === 0) return false
  const { marks } = comparison.once(signedContents)(page)
  const letters = marks.filter((mark) => mark.kind === 'text' && isLetter(mark))
  spendOn(comparison, drawn.length * letters.length)
  const isOver = (box: Box) => letters.some((mark) => lossOf(mark, box) === 'hidden')
  return drawn.some(isOver) && !placesOf(before, widget).some(isOver)
}

/** Of a font that does not say which letters it has, each may be one. */
const isLetter = (run: Run) =>
  !isLight(run) && run.font?.drawsSigns !== true && /[\p{L}\p{N}]/u.test(run.text ?? 'a')

/** Where on its page a widget writes or draws. */
function placesOf(document: PdfDocument, number: number): Box[] {
  const widget = entriesOf(document.object(number)?.value)
  const place = boxIn(document, widget.get('Rect'))
  const look = shownLook(document, widget)
  if (!place || !look) return []
  const { ink, turn } = frameOf(document, widget, look)
  const seen = ink.marks.filter((mark) => mark.kind !== 'text' || mark.text?.trim() !== '')
  if (seen.length > 0 && turn !== 0) return [place]
  return seen.map((mark) => onPage(mark, place))
}

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
