import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isNamed, isRef } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { type Finding, knownAs, other } from '#server/domain/verification/changes/finding.ts'
import {
  isGiant,
  isUnmeasured,
  knownFonts,
} from '#server/domain/verification/changes/known-fonts.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import {
  areaOf,
  type Box,
  intersection,
  meets,
  overlaps,
} from '#server/domain/verification/looks/geometry.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import type { Trace } from '#server/domain/verification/looks/marks.ts'
import {
  cellsOf,
  type Loss,
  lossBelow,
  lossesOfContent,
  lossOf,
  spendOn,
  worstLoss,
} from './content-loss.ts'
import { type CoveringLook, coveringLooks } from './covering-ink.ts'
import { laterInk } from './later-ink.ts'
import { signsOverLetters } from './letters-below.ts'
import { boxOf } from './mark-box.ts'
import { pageAnnotations, type ShownAnnotation } from './page-annotations.ts'
import { isRepeatedBy } from './same-look.ts'
import { signedContents } from './signed-content.ts'
import { drawsOverLetters } from './strokes-over-letters.ts'
import { turnOf } from './turned-back.ts'

/** Where the look of a later signature is. */
type SignatureCover = {
  /** Counts from 1; absent for a look on no page of the signed document. */
  readonly page?: number
  /** `hidden`: signed content is below an area of the look; `doubtful`: there may be some; `above`: below letters and lines. */
  readonly content: 'none' | 'above' | 'doubtful' | 'hidden'
}

const ORDER = ['none', 'above', 'doubtful', 'hidden'] as const

/**
 * The finding about a later signature, with what its look does to the signed pages: it may not hide what was signed, and
 * where it is drawn over something, pictures show the page.
 *
 * @param widgets of the signature's field
 */
export function withCover(
  comparison: Comparison,
  finding: Finding,
  { name, widgets }: { name: string; widgets: readonly number[] },
): Finding {
  const { page, content } = signatureCover(comparison, widgets)
  if (page === undefined || content === 'none') return finding
  const { object, level } = finding
  if (content === 'above') return { ...finding, page }
  if (content === 'doubtful')
    return {
      level,
      object,
      page,
      ...changeFact('signature-may-cover-content', { field: name, page }),
    }
  const fact = changeFact('signature-covers-content', { field: name, page })
  return knownAs('overlay-by-annotation', other(object, fact, page))
}

/**
 * What of the signed pages is below the look of a signature or note that was made later.
 *
 * @param widgets of the signature's field, or the note
 */
export function signatureCover(comparison: Comparison, widgets: readonly number[]): SignatureCover {
  const pages = comparison.once(pagesOfWidgets)
  const covers = widgets.flatMap((widget) =>
    (pages.get(widget) ?? []).map(([index, page]) => ({
      page: index + 1,
      content: contentBelow(comparison, page, widget),
    })),
  )
  return (
    covers.toSorted(
      (a, b) => ORDER.indexOf(b.content) - ORDER.indexOf(a.content) || a.page - b.page,
    )[0] ?? { content: 'none' }
  )
}

/** By number: on which signed pages a widget is shown in the latest state of the file. */
function pagesOfWidgets(comparison: Comparison): ReadonlyMap<number, [number, PdfPage][]> {
  const { before, after } = comparison
  const places = new Map<number, [number, PdfPage][]>()
  for (const [index, page] of before.once(pagesOf).entries()) {
    const now = page.ref && entriesOf(after.object(page.ref.number)?.value)
    const list = after.resolve(now?.get('Annots'))
    const items = isArray(list) ? list.items.filter(isRef) : []
    spendOn(comparison, items.length)
    for (const number of new Set(items.map((item) => item.number))) {
      const known = places.get(number)
      if (known) known.push([index, page])
      else places.set(number, [[index, page]])
    }
  }
  return places
}

function contentBelow(
  comparison: Comparison,
  page: PdfPage,
  widget: number,
): SignatureCover['content'] {
  const { before, after } = comparison
  const look = after.once(coveringLooks)(widget, turnOf(before, page))
  if (!look) return 'none'
  if (look.reachOut === 'sure') return 'hidden'
  const below = belowOf(comparison, page, { look, widget })
  if (hidesContent(comparison, look, below)) return 'hidden'
  if (isInDoubt(comparison, page, look, below)) return 'doubtful'
  if (isWidget(after, widget) && changesLetters(comparison, page, { look, widget }))
    return 'doubtful'
  return below.isReached ? 'above' : 'none'
}

/** By what it writes, or by what it draws. */
const changesLetters = (comparison: Comparison, page: PdfPage, { look, widget }: Later) =>
  signsOverLetters(comparison, widget, page) || drawsOverLetters(comparison, widget, { page, look })

/** A signature or note that was made later. */
type Later = { look: CoveringLook; widget: number }

/** Signatures have one, and notes do not. */
const isWidget = (document: PdfDocument, number: number) =>
  isNamed(document.resolve(entriesOf(document.object(number)?.value).get('Subtype')), 'Widget')

/** What of the page and its annotations is below a look. */
type Below = {
  /** By the areas of the look. */
  readonly loss: Loss
  /** Letters, lines and annotations. */
  readonly cells: readonly Box[]
  readonly isWritten: boolean
  /** An area that is no emblem is over a picture, or over what is not read. */
  readonly isUnreadBelowArea: boolean
  /** Some of an earlier signature is taken away: honest programs give both the same place. */
  readonly isSignatureHidden: boolean
  /** Where pictures, which may show anything, or what is not read may be below. */
  readonly unread: Box | undefined
  /** Anything is below. */
  readonly isReached: boolean
}

function belowOf(comparison: Comparison, page: PdfPage, { look, widget }: Later): Below {
  const { before, after } = comparison
  const { place, areas } = look
  const content = comparison.once(signedContents)(page)
  const below = after.once(lossesOfContent)(content, look, comparison)
  const shown = before
    .once(pageAnnotations)(page)
    .filter((one) => meets(one.box, place) && !isRepeatedBy(comparison, widget)(one))
  const isEarlierSignature = ({ isSignature }: ShownAnnotation) =>
    isSignature && isWidget(after, widget)
  const notes = shown.filter((one) => !isEarlierSignature(one))
  const contents = notes.map((note) => note.content())
  const marks = contents.flatMap((one) => one.marks)
  spendOn(comparison, areas.length * contents.reduce((sum, { pieces }) => sum + pieces + 1, 0))
  const losses = areas.map(({ box }) => lossBelow(marks, box))
  const written = marks.filter((mark) => lossOf(mark, place) !== 'none')
  const isWhole = [content, ...contents].every((one) => one.isWhole)
  // A scanned page may show anything. The emblems that programs draw into signatures leave most of it to be seen.
  const isBlunt = areas.some(({ isEmblem }) => !isEmblem)
  const unread = isWhole ? below.pictured : place
  return {
    loss: notes.some(({ box }) => isNoteHidden(box, look))
      ? 'hidden'
      : worstLoss([below.loss, ...losses]),
    cells: [...below.cells, ...written.flatMap(cellsOf), ...notes.map(({ box }) => box)],
    isWritten: below.isWritten || written.length > 0,
    isUnreadBelowArea: below.isPictured || (isBlunt && !isWhole),
    isSignatureHidden: shown
      .filter(isEarlierSignature)
      .some((signature) => isSignatureHidden(comparison, signature, look)),
    unread: unread && intersection(unread, place),
    isReached:
      unread !== undefined || below.isReached || marks.some((mark) => overlaps(boxOf(mark), place)),
  }
}

/** Whether a look takes away some of what an earlier signature shows. */
function isSignatureHidden(
  comparison: Comparison,
  { box, content }: ShownAnnotation,
  look: CoveringLook,
): boolean {
  const { marks, pieces, isWhole } = content()
  spendOn(comparison, (look.areas.length + 1) * (pieces + 1))
  if (!isWhole && isNoteHidden(box, look)) return true
  const cells = marks.filter((mark) => lossOf(mark, look.place) !== 'none').flatMap(cellsOf)
  if (isBlackened(cells, look.darkest(), comparison)) return true
  return look.areas.some(
    (area) =>
      lossBelow(marks, area.box) !== 'none' ||
      marks.some((mark) => mark.kind === 'picture' && overlaps(boxOf(mark), area.box)),
  )
}

const isNoteHidden = (note: Box, { areas }: CoveringLook) =>
  areas.reduce((sum, area) => sum + areaOf(intersection(note, area.box)), 0) >
  areaOf(note) * MOST_HIDDEN
const MOST_HIDDEN = 0.15

const hidesContent = (comparison: Comparison, { traces }: CoveringLook, { loss, cells }: Below) =>
  loss === 'hidden' || isBlackened(cells, traces, comparison)

/** Whether the look, or all later ones together, may hide something. */
function isInDoubt(
  comparison: Comparison,
  page: PdfPage,
  look: CoveringLook,
  below: Below,
): boolean {
  const { letters, fonts, reachOut } = look
  const { loss, cells, isUnreadBelowArea, isSignatureHidden, unread } = below
  if (loss === 'doubtful' || reachOut === 'doubtful' || isUnreadBelowArea || isSignatureHidden)
    return true
  if (areLettersInDoubt(comparison, fonts, below)) return true
  // The letters of a font that was signed are as black as its outlines make them.
  if (isBlackened(cells, letters, comparison)) return true
  // What its lines leave, its letters may hide, and those of the looks beside it.
  const together = comparison.once(laterInk)(page, look)
  if (cells.length > 0 && isBlackened(cells, together.darkest(), comparison)) return true
  return (
    unread !== undefined &&
    isBlackened(gridOf(unread), together.darkest(), comparison, UNREADABLE_SQUARE)
  )
}

/** Letters that come with the look can be as large as it is, whatever their size. */
function areLettersInDoubt(
  comparison: Comparison,
  fonts: readonly LookFont[],
  { isWritten, unread }: Below,
): boolean {
  const isKnown = comparison.once(knownFonts)
  if (isWritten && !fonts.every((font) => isNamedSign(font) || isKnown(font))) return true
  return (
    (isWritten && fonts.some(isUnmeasured)) ||
    (unread !== undefined && fonts.some((font) => isGiant(font) || isUnmeasured(font)))
  )
}

/** Squares as large as letters, each half over the next; larger ones in a place as large as a page. */
function gridOf({ left, bottom, right, top }: Box): Box[] {
  const side = Math.max(LETTER, (right - left) / MOST_CELLS, (top - bottom) / MOST_CELLS)
  const steps = (length: number) =>
    Array.from({ length: Math.ceil((2 * length) / side) }, (_, at) => at / 2)
  return steps(right - left).flatMap((column) =>
    steps(top - bottom).map((row) => {
      const [x, y] = [left + column * side, bottom + row * side]
      return { left: x, bottom: y, right: x + side, top: y + side }
    }),
  )
}

/** In points: a digit of a usual scan, with the room around it. */
const LETTER = 8
const MOST_CELLS = 100

/** Signs that readers have themselves. */
const isNamedSign = ({ drawsSigns, isEmbedded, isDrawn }: LookFont) =>
  drawsSigns && !isEmbedded && !isDrawn

/** A text of which so much is black cannot be read. */
const UNREADABLE_PART = 0.6
/** The darkest spots of the emblem that the most common program draws are just below. */
const UNREADABLE_SQUARE = 0.65

/** Whether so many letters and lines are drawn over one of the boxes that it cannot be read. */
function isBlackened(
  boxes: readonly Box[],
  traces: readonly Trace[],
  comparison: Comparison,
  unreadable = UNREADABLE_PART,
) {
  spendOn(comparison, boxes.length * traces.length)
  return boxes.some((box) => {
    const black = traces.reduce(
      (sum, trace) => sum + areaOf(intersection(trace.box, box)) * trace.part,
      0,
    )
    return areaOf(box) > 0 && black > areaOf(box) * unreadable
  })
}
