import { concatBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isRef,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import {
  areaOf,
  type Box,
  boxAround,
  boxIn,
  crosses,
  heightOf,
  IDENTITY,
  intersection,
  isWithin,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import {
  type Ink,
  type Mark,
  type Paint,
  type Run,
  runsOf,
  UNREADABLE,
} from '#server/domain/verification/looks/marks.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, knownAs, other } from './finding.ts'
import { knownFonts } from './known-fonts.ts'
import { hasColours } from './painted-look.ts'

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
  const { object } = finding
  if (content === 'above') return { ...finding, page }
  if (content === 'doubtful')
    return {
      level: 'ANNOTATIONS',
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
  const covers = pagesOf(comparison.before).flatMap((page, index) => {
    if (!page.ref) return []
    const now = entriesOf(comparison.after.object(page.ref.number)?.value)
    const list = comparison.after.resolve(now.get('Annots'))
    const here = (isArray(list) ? list.items : [])
      .filter(isRef)
      .map(({ number }) => number)
      .filter((number) => widgets.includes(number))
    return here.map((widget) => ({ page: index + 1, content: below(comparison, page, widget) }))
  })
  return (
    covers.toSorted((a, b) => ORDER.indexOf(b.content) - ORDER.indexOf(a.content))[0] ?? {
      content: 'none',
    }
  )
}

function below(comparison: Comparison, page: PdfPage, number: number): SignatureCover['content'] {
  const { before, after } = comparison
  const widget = entriesOf(after.object(number)?.value)
  const place = boxIn(after, widget.get('Rect'))
  if (!place || areaOf(place) === 0) return 'none'
  const { areas, traces, fonts } = inkOver(after, widget, place)
  const { content: drawn, isWhole } = contentOf(before, page)
  const { boxes: others, texts } = annotationsOn(before, page)
  const content = [...drawn, ...texts]
  const losses = areas.map(({ box }) => lossBelow(content, box))
  const isNoteHidden = (area: Box) =>
    others.some((other) => areaOf(solid(intersection(other, area))) > areaOf(other) * 0.15)
  if (losses.includes('hidden') || areas.some(({ box }) => isNoteHidden(box))) return 'hidden'
  const written = content.filter((mark) => lossOf(mark, place) !== 'none')
  // Letters that come with the look can be as large as it is, whatever their size.
  const isKnown = knownFonts(comparison)
  const areLettersKnown = fonts.every((font) => isNamedSign(font) || isKnown(font))
  if (isBlackened([...written.flatMap(cellsOf), ...others], traces, comparison)) return 'hidden'
  if (losses.includes('doubtful') || (written.length > 0 && !areLettersKnown)) return 'doubtful'
  // A scanned page may show anything. The emblems that programs draw into signatures leave most of it to be seen.
  const blunt = areas.filter(({ isEmblem }) => !isEmblem)
  const isPictured = content.some(
    (mark) => mark.kind === 'picture' && blunt.some(({ box }) => overlaps(mark.box, box)),
  )
  if (blunt.length > 0 && (!isWhole || isPictured)) return 'doubtful'
  return content.some((mark) => overlaps(boxOf(mark), place)) ? 'above' : 'none'
}

const solid = (box: Box): Box => (widthOf(box) > 0 && heightOf(box) > 0 ? box : NOWHERE)
const NOWHERE: Box = { left: 0, bottom: 0, right: 0, top: 0 }

/** In points: as thin as the line on which people sign, and as large as no letter of a signature is. */
const [THIN, LARGE] = [2, 36] as const

const overlaps = (a: Box, b: Box) => {
  const both = intersection(a, b)
  return widthOf(both) > 0.5 && heightOf(both) > 0.5
}

const meets = (a: Box, b: Box) => {
  const both = intersection(a, b)
  return both.left <= both.right && both.bottom <= both.top
}

type Area = { readonly box: Box; readonly isEmblem: boolean }

/** A letter, a thin line or an area that lets through what is below it: only many of them hide something. */
type Trace = {
  readonly box: Box
  /** Which part of the box it blackens. */
  readonly part: number
}

type InkOver = {
  /** The areas of a look that hide what is below them. */
  readonly areas: readonly Area[]
  readonly traces: readonly Trace[]
  /** With which it writes. */
  readonly fonts: readonly LookFont[]
}

/** Signs that readers have themselves. */
const isNamedSign = ({ drawsSigns, isEmbedded, isDrawn }: LookFont) =>
  drawsSigns && !isEmbedded && !isDrawn

/** What a look draws on its page. */
function inkOver(
  document: PdfDocument,
  widget: ReadonlyMap<string, PdfObject>,
  place: Box,
): InkOver {
  const whole = { areas: [{ box: place, isEmblem: false }], traces: [], fonts: [] }
  const nothing = { areas: [], traces: [], fonts: [] }
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  if (look === null) return hasColours(document, widget) ? whole : nothing
  if (!isStream(look)) return whole
  const frame = frameOf(document, widget, look)
  const isUpright = Math.abs(frame.width - widthOf(place)) < 0.5
  const { marks, isOdd } = frame.drawn
  if (isOdd || (marks.length > 0 && !isUpright)) return whole
  // The instructions of a letter may draw anything.
  if (marks.some((mark) => mark.kind === 'text' && mark.font?.isDrawn)) return whole
  const onPage = (box: Box, { clip }: Mark): Box => {
    const { left, bottom, right, top } = intersection(box, clip)
    return {
      left: left + place.left,
      right: right + place.left,
      bottom: bottom + place.bottom,
      top: top + place.bottom,
    }
  }
  const isEmblem = (mark: Mark) => mark.kind !== 'text' && mark.curves.length > 0 && !isWhite(mark)
  return {
    areas: marks.flatMap((mark) =>
      areasOf(mark).map((box) => ({ box: onPage(box, mark), isEmblem: isEmblem(mark) })),
    ),
    fonts: [...new Set(runsOf({ marks }).flatMap(({ font }) => font ?? []))],
    traces: marks.flatMap((mark) =>
      tracesOf(mark).map(({ box, part }) => ({ box: onPage(box, mark), part })),
    ),
  }
}

/** Paler letters and lines leave nothing of what is below them. */
const LIGHT = 0.8
const isLight = ({ lightness = 1 }: Mark) => lightness > LIGHT
const isWhite = ({ lightness = 1 }: Mark) => lightness > 0.95

/** All that the mark hides for sure. Of pale lines also the thinnest. */
function areasOf(mark: Mark): Box[] {
  const box = boxOf(mark)
  if (mark.kind === 'text') {
    const hasWideLines = STROKED.has(mark.mode) && mark.lineWidth > 2 * THIN
    const isSeen = mark.mode !== 3 && mark.mode !== 7 && mark.text?.trim() !== ''
    return isSeen && (hasWideLines || mark.reach > LARGE || isLight(mark)) ? [box] : []
  }
  if (!mark.covers) return []
  if (mark.kind === 'stroke') {
    if (mark.lineWidth > 2 * THIN) return [box]
    if (!isLight(mark)) return []
    return mark.curves.length > 0 ? [box] : linesOf(mark)
  }
  const isThick = widthOf(mark.box) > THIN && heightOf(mark.box) > THIN
  return isThick || isLight(mark) ? [box] : []
}

/** Modes in which outlines of letters are drawn. @see ISO 32000-2:2020, table 104 */
const STROKED = new Set([1, 2, 5, 6])

/** The boxes of the straight lines of a path. */
const linesOf = ({ segments, lineWidth }: Paint): Box[] =>
  segments.map((segment) => {
    const { left, bottom, right, top } = boxAround(segment)
    const half = lineWidth / 2
    return { left: left - half, bottom: bottom - half, right: right + half, top: top + half }
  })

/** Of a dark letter about a third is black. */
const BLACK_PART = 0.3

function tracesOf(mark: Mark): Trace[] {
  const box = boxOf(mark)
  if (mark.kind === 'text') return [{ box, part: BLACK_PART }]
  if (mark.kind !== 'stroke') return mark.covers ? [] : [{ box, part: BLACK_PART }]
  return linesOf(mark).map((line, at) => {
    const [[x1, y1], [x2, y2]] = mark.segments[at]!
    const length = Math.hypot(x1 - x2, y1 - y2) + mark.lineWidth
    return { box: line, part: Math.min(1, (length * mark.lineWidth) / (areaOf(line) || 1)) }
  })
}

/** Whether so many letters and lines are drawn over one of the boxes that it cannot be read. */
function isBlackened(boxes: readonly Box[], traces: readonly Trace[], comparison: Comparison) {
  comparison.spend(Math.ceil((boxes.length * traces.length) / STEPS_IN_ONE))
  return boxes.some((box) => {
    const black = traces.reduce(
      (sum, trace) => sum + areaOf(solid(intersection(trace.box, box))) * trace.part,
      0,
    )
    return areaOf(box) > 0 && black > areaOf(box)
  })
}

const STEPS_IN_ONE = 100

function boxOf(mark: Mark): Box {
  if (mark.kind !== 'text') return grownBy(mark.box, halfOf(mark))
  const { start, end, size, reach, isUpright } = mark
  const [[x, y], [endX]] = [start, end]
  if (!isUpright) return grownBy(boxAround([start, end]), reach)
  return {
    left: Math.min(x, endX),
    // A letter is as wide as it is drawn, whatever width the font states.
    right: Math.max(x + reach / 2, endX),
    bottom: y - Math.abs(size) * 0.1,
    top: y + Math.abs(size) * 0.6,
  }
}

const halfOf = ({ kind, lineWidth }: Paint) => (kind === 'stroke' ? lineWidth / 2 : 0)

/** Where the letters of a text are, about one a box; frames have none. */
function cellsOf(mark: Mark): Box[] {
  if (mark.kind === 'picture') return []
  if (mark.kind !== 'text') return isFrame(mark) ? [] : [boxOf(mark)]
  const { start, end, size, reach, isUpright } = mark
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const count = Math.min(MOST_CELLS, Math.max(1, Math.round(Math.hypot(dx, dy) / reach)))
  const { bottom, top } = boxOf(mark)
  return Array.from({ length: count }, (_, at): Box => {
    const [from, to] = [at / count, (at + 1) / count]
    const cell = boxAround([from, to].map((part) => [start[0] + part * dx, start[1] + part * dy]))
    return isUpright ? { ...cell, bottom, top } : grownBy(cell, Math.abs(size) / 2)
  })
}

/** As many as a line of a page has letters. */
const MOST_CELLS = 256

/** What an area that hides all that is below it takes away. */
type Loss = 'none' | 'doubtful' | 'hidden'

function lossBelow(content: readonly Mark[], area: Box): Loss {
  const losses = new Set(content.map((mark) => lossOf(mark, area)))
  if (losses.has('hidden')) return 'hidden'
  return losses.has('doubtful') || hidesWhiteOnDark(content, area) ? 'doubtful' : 'none'
}

/** Of one mark: a picture is judged by itself, and a ground on which all of the area stands loses nothing. */
function lossOf(mark: Mark, area: Box): Loss {
  const shown = intersection(area, mark.clip)
  if (mark.kind === 'picture') return 'none'
  const loss = mark.kind === 'text' ? lossOfText(mark, shown) : lossOfPaint(mark, shown)
  return loss === 'hidden' && isWatermark(mark) && !isWithin(boxOf(mark), area, 1)
    ? 'doubtful'
    : loss
}

function lossOfText(run: Run, area: Box): Loss {
  if (run.mode === 3 || run.mode === 7 || LINE_OF_SIGNS.test(run.text ?? '?')) return 'none'
  const { start, end, reach, slack, isUpright } = run
  if (!isUpright)
    return crosses(lengthened([start, end], slack), grownBy(area, reach)) ? 'hidden' : 'none'
  const box = boxOf(run)
  if (overlaps(box, area)) return 'hidden'
  const farthest = { ...box, left: box.left - slack, right: box.right + slack }
  return slack > 0 && overlaps(farthest, area) ? 'doubtful' : 'none'
}

function lengthened([[x1, y1], [x2, y2]]: Segment, by: number): Segment {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [x, y] = [((x2 - x1) / length) * by, ((y2 - y1) / length) * by]
  return [
    [x1 - x, y1 - y],
    [x2 + x, y2 + y],
  ]
}

/** Neither white, which is on paper, nor a line to sign on. */
function lossOfPaint(paint: Paint, area: Box): Loss {
  if ((paint.lightness !== undefined && isWhite(paint)) || !isOutlineBelow(paint, area))
    return 'none'
  if (!isFrame(paint)) return 'hidden'
  // Digits can be drawn of such lines.
  return hasWholeUpright(paint, area) ? 'doubtful' : 'none'
}

/** White lines and areas on a dark ground may be letters. */
const hidesWhiteOnDark = (content: readonly Mark[], area: Box) =>
  content.some((mark) => mark.kind === 'fill' && !isWhite(mark) && overlaps(mark.box, area)) &&
  content.some(
    (mark) =>
      mark.kind !== 'text' &&
      mark.kind !== 'picture' &&
      isWhite(mark) &&
      isOutlineBelow(mark, area) &&
      !isFrame(mark),
  )

/** Whether an edge of an area, or a line, runs below: elsewhere all is of one colour. */
function isOutlineBelow(paint: Paint, area: Box): boolean {
  const { kind, clip, segments, closings, curves } = paint
  const reached = grownBy(intersection(area, clip), kind === 'fill' ? -1 : halfOf(paint) - 0.5)
  if (!meets(paint.box, reached)) return false
  const isBelow = (segment: Segment) => crosses(segment, reached)
  return (
    curves.some((curve) => meets(curve, reached)) ||
    segments.some(isBelow) ||
    closings.some(isBelow)
  )
}

/** Thin and long, as the lines of frames and tables and those to sign on. */
function isFrame(paint: Paint): boolean {
  const box = boxOf(paint)
  const isLong = Math.max(widthOf(box), heightOf(box)) >= LONG
  if (isLong && Math.min(widthOf(box), heightOf(box)) <= THIN) return true
  return paint.kind === 'stroke' && paint.lineWidth <= THIN && isOfLongLines(paint)
}

const hasWholeUpright = ({ segments }: Paint, area: Box) =>
  segments.some(
    (segment) =>
      Math.abs(segment[0][1] - segment[1][1]) >= LONG &&
      isWithin(boxAround(segment), grownBy(area, -THIN), 0),
  )

/** Pale words or lines across the page, as a stamp has them: what is left of them may still say it. */
function isWatermark(mark: Mark): boolean {
  if (mark.kind === 'picture' || (mark.lightness ?? 0) <= 0.5) return false
  if (mark.kind === 'text') return !mark.isUpright && isDiagonal([mark.start, mark.end])
  const { kind, lineWidth, curves, segments } = mark
  return kind === 'stroke' && lineWidth <= THIN && curves.length === 0 && segments.every(isDiagonal)
}

const isDiagonal = ([[x1, y1], [x2, y2]]: Segment) =>
  Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) >= LONG

const grownBy = ({ left, bottom, right, top }: Box, by: number): Box => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

/** A line to sign on, of signs; one point or dash alone belongs to an amount. */
const LINE_OF_SIGNS = /^\s*(?:[\s_]*|[\s.\-–—]{4,})$/u

/** In points: longer than the strokes of letters and digits. */
const LONG = 20

/** Straight along the page, as frames and tables are drawn. */
const isOfLongLines = ({ segments, curves }: Paint) =>
  curves.length === 0 &&
  segments.every(
    ([[x1, y1], [x2, y2]]) =>
      Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) < 0.1 &&
      Math.max(Math.abs(x1 - x2), Math.abs(y1 - y2)) >= LONG,
  )

const MAX_PAGE = 4 << 20

/** What the signed page draws; `isWhole` where all of it was read. */
function contentOf(
  document: PdfDocument,
  { dictionary, inherited }: PdfPage,
): { content: readonly Mark[]; isWhole: boolean } {
  const written = document.resolve(dictionary.entries.get('Contents'))
  const streams = (isArray(written) ? written.items.map(document.resolve) : [written]).filter(
    isStream,
  )
  const bytes = () =>
    concatBytes(
      ...streams.flatMap((stream) => [document.decoded(stream, MAX_PAGE), Uint8Array.of(0x0a)]),
    )
  const everywhere = { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 }
  const canvas = { matrix: IDENTITY, clip: everywhere }
  const resources = entriesOf(document.resolve(inherited.get('Resources')))
  const ink = readOr(() => inkOfContent(document, bytes, resources, canvas))
  return { content: ink.marks, isWhole: !ink.isCut }
}

function readOr(read: () => Ink): Ink {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return UNREADABLE
    throw error
  }
}

/**
 * The places of other annotations of the signed page that show something, and the texts that they show. Signatures stand
 * on each other in files of honest programs: pictures show those.
 */
function annotationsOn(document: PdfDocument, page: PdfPage): { boxes: Box[]; texts: Run[] } {
  const signatures = new Set(
    formFields(document)
      .filter(({ type }) => type === 'Sig')
      .flatMap(({ widgets }) => widgets.map(({ number }) => number)),
  )
  const list = document.resolve(page.dictionary.entries.get('Annots'))
  const shown = (isArray(list) ? list.items : []).flatMap((item) => {
    const entries = entriesOf(document.resolve(item))
    const box = boxIn(document, entries.get('Rect'))
    const look = document.resolve(entriesOf(document.resolve(entries.get('AP'))).get('N'))
    const isEmpty = look === null || (isStream(look) && look.data.end === look.data.start)
    const isSignature = signatures.has(isRef(item) ? item.number : -1)
    if (!box || isEmpty || isSignature || areaOf(box) === 0) return []
    return [{ box, texts: isStream(look) ? textsIn(document, entries, look, box) : [] }]
  })
  return { boxes: shown.map(({ box }) => box), texts: shown.flatMap(({ texts }) => texts) }
}

/** What a look writes, in the coordinates of the page. */
function textsIn(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  look: PdfStream,
  { left, bottom }: Box,
): Run[] {
  const { marks } = frameOf(document, annotation, look).drawn
  return runsOf({ marks }).map((run) => ({
    ...run,
    start: [run.start[0] + left, run.start[1] + bottom],
    end: [run.end[0] + left, run.end[1] + bottom],
    leastEnd: run.leastEnd + left,
    likelyEnd: run.likelyEnd + left,
    mostEnd: run.mostEnd + left,
    clip: {
      left: run.clip.left + left,
      right: run.clip.right + left,
      bottom: run.clip.bottom + bottom,
      top: run.clip.top + bottom,
    },
  }))
}
