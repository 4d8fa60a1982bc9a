import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import { type Box, boxIn, grownBy } from '#server/domain/verification/looks/geometry.ts'
import { type Run, runsOf } from '#server/domain/verification/looks/marks.ts'
import { lossOf, spendOn } from './content-loss.ts'
import { boxOf, isLight } from './mark-box.ts'
import { signedContents } from './signed-content.ts'

/** Which part of their size letters may be off without touching others. */
const APART = 0.2

/**
 * Whether a filled field writes over letters of its page that were signed, and did not when it was signed: an 8 over a
 * 3 makes another number. Lines, points to write on and pale hints are there to be written over.
 */
export function writesOverLetters(comparison: Comparison, widget: number, page: PdfPage): boolean {
  const { before, after } = comparison
  const letters = lettersOf(after, widget)
  if (letters.length === 0) return false
  const { marks } = comparison.once(signedContents)(page)
  const signed = marks.filter((mark) => mark.kind === 'text' && !isLight(mark))
  spendOn(comparison, letters.length * signed.length)
  const isOver = (box: Box) => signed.some((mark) => lossOf(mark, box) === 'hidden')
  return letters.some(isOver) && !lettersOf(before, widget).some(isOver)
}

/** Where on its page a widget writes. */
function lettersOf(document: PdfDocument, number: number): Box[] {
  const widget = entriesOf(document.object(number)?.value)
  const place = boxIn(document, widget.get('Rect'))
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  if (!place || !isStream(look)) return []
  const { ink, turn } = frameOf(document, widget, look)
  const written = runsOf(ink).filter(({ text }) => text?.trim() !== '')
  if (written.length > 0 && turn !== 0) return [place]
  return written.map((run) => onPage(run, place))
}

const onPage = (run: Run, { left, bottom }: Box): Box => {
  const box = grownBy(boxOf(run), -run.size * APART)
  return {
    left: box.left + left,
    right: box.right + left,
    bottom: box.bottom + bottom,
    top: box.top + bottom,
  }
}
