import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream, type PdfObject, type PdfStream } from '#server/domain/pdf/object.ts'
import { areasByReaders, tracesByReaders } from '#server/domain/verification/changes/drawn-mark.ts'
import { hasColours } from '#server/domain/verification/changes/painted-look.ts'
import { isHidden } from '#server/domain/verification/changes/signature-field-rule.ts'
import type { Spend } from '#server/domain/verification/looks/filled-strips.ts'
import { boxOnPage, frameOf } from '#server/domain/verification/looks/frame.ts'
import {
  areaOf,
  type Box,
  boxAround,
  boxIn,
  cornersOf,
  grownBy,
  heightOf,
  IDENTITY,
  intersection,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { inkOf } from '#server/domain/verification/looks/ink.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import {
  type Mark,
  type Paint,
  runsOf,
  type Trace,
} from '#server/domain/verification/looks/marks.ts'
import { type ReachOut, reachOutOfAny } from '#server/domain/verification/looks/reach-out.ts'
import { costOfStrips, stripsOf } from './emblem-strips.ts'
import { BLACK_PART, blackPartOf, darkestTrace, extentOf } from './letter-ink.ts'
import { boxOf, hasOutlines, isLight, isWhite, THIN } from './mark-box.ts'
import { type Turn, turnedBack } from './turned-back.ts'

export type Area = {
  readonly box: Box
  /** A dark form with a round outline: of a picture it hides only what its traces blacken. */
  readonly isEmblem: boolean
}

/** The look of a widget, on its page. */
export type CoveringLook = InkOver & {
  readonly place: Box
  /** Whether it is drawn elsewhere, too. */
  readonly reachOut: ReachOut
}

type InkOver = {
  /** The areas of a look that hide what is below them. */
  readonly areas: readonly Area[]
  readonly traces: readonly Trace[]
  /** The same, with letters that come with the file as black as their outlines may make them. */
  darkest(): readonly Trace[]
  /** With which it writes. */
  readonly fonts: readonly LookFont[]
  /** Where letters that come with the file may blacken everything. */
  readonly letters: readonly Trace[]
}

const EVERYWHERE: Box = { left: -1e5, bottom: -1e5, right: 1e5, top: 1e5 }
const ANYWHERE: CoveringLook = {
  place: EVERYWHERE,
  areas: [{ box: EVERYWHERE, isEmblem: false }],
  traces: [],
  darkest: () => [],
  fonts: [],
  letters: [],
  reachOut: 'none',
}

type LookOfWidget = (widget: number, turn?: Turn) => CoveringLook | undefined

/**
 * The look of each widget in the latest state of a file, on a page that is turned so; undefined for a widget that shows
 * nothing. For `once`.
 */
export function coveringLooks(document: PdfDocument): LookOfWidget {
  const byTurn = new Map<Turn, Map<number, CoveringLook | undefined>>()
  return (number, turn = 0) => {
    const known = byTurn.get(turn) ?? new Map<number, CoveringLook | undefined>()
    byTurn.set(turn, known)
    if (!known.has(number)) known.set(number, lookOf(document, number, turn))
    return known.get(number)
  }
}

function lookOf(document: PdfDocument, number: number, turn: Turn): CoveringLook | undefined {
  const widget = entriesOf(document.object(number)?.value)
  const areas = hasLook(document, widget) ? undefined : areasByReaders(document, widget, turn !== 0)
  if (areas) return areas.length > 0 ? opaqueLook(areas) : undefined
  const written = document.resolve(widget.get('Rect'))
  const place = boxIn(document, written)
  // Readers that take something else for its place may show it anywhere.
  if (!place && written !== null) return ANYWHERE
  if (!place) return undefined
  const looks = isHidden(document, widget) ? [] : drawnLooks(document, widget)
  const reachOut = reachOutOfAny(document, looks)
  const isSeen = looks.some((look) => !isEmpty(document, look))
  if (areaOf(place) > 0) {
    const look = { place, reachOut, ...inkOver(document, widget, place) }
    const elsewhere = isSeen ? turnedBack(document, widget, { place, turn }) : undefined
    return elsewhere ? withArea(look, elsewhere) : look
  }
  if (reachOut === 'none' && !isSeen) return undefined
  // Ghostscript draws it in the size in which it was made.
  return { ...ANYWHERE, areas: [], reachOut: reachOut === 'sure' ? 'sure' : 'doubtful' }
}

const hasLook = (document: PdfDocument, widget: ReadonlyMap<string, PdfObject>) =>
  document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N')) !== null

const opaqueLook = (areas: readonly Box[]): CoveringLook => ({
  ...NO_INK,
  place: boxAround(areas.flatMap(cornersOf)),
  areas: areas.map((box) => ({ box, isEmblem: false })),
  reachOut: 'none',
})

const withArea = (look: CoveringLook, box: Box): CoveringLook => ({
  ...look,
  place: boxAround([look.place, box].flatMap(cornersOf)),
  areas: [...look.areas, { box, isEmblem: false }],
})

/** One look, or those of all states: readers do not choose the same. */
function drawnLooks(document: PdfDocument, widget: ReadonlyMap<string, PdfObject>): PdfStream[] {
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  if (isStream(look)) return [look]
  return [...new Set(entriesOf(look).values().map(document.resolve).filter(isStream))]
}

function isEmpty(document: PdfDocument, look: PdfStream): boolean {
  const { marks, isCut } = inkOf(document, look, { matrix: IDENTITY, clip: EVERYWHERE })
  return marks.length === 0 && !isCut
}

const NO_INK: InkOver = { areas: [], traces: [], darkest: () => [], fonts: [], letters: [] }

/** What a look draws on its page. */
function inkOver(
  document: PdfDocument,
  widget: ReadonlyMap<string, PdfObject>,
  place: Box,
): InkOver {
  const whole = { ...NO_INK, areas: [{ box: place, isEmblem: false }] }
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  if (look === null) {
    const traces = tracesByReaders(document, widget)
    return hasColours(document, widget) ? whole : { ...NO_INK, traces, darkest: () => traces }
  }
  if (!isStream(look)) return whole
  const frame = frameOf(document, widget, look)
  const { marks, isOdd } = frame.drawn
  if (isOdd) return whole
  // The instructions of a letter may draw anything.
  if (marks.some((mark) => mark.kind === 'text' && mark.font?.isDrawn)) return whole
  const placed = boxOnPage(frame, place)
  const onPage = (box: Box, { clip }: Mark): Box => placed(intersection(box, clip))
  const emblems = emblemsAmong(marks)
  const spend: Spend = (steps) => document.meter.spend(BYTES_IN_STEP * steps)
  const embedded = runsOf({ marks }).filter(isEmbedded)
  const tracesOn = (some: readonly Mark[]) =>
    some.flatMap((mark) =>
      tracesOf(mark, emblems, spend).map(({ box, part }) => ({ box: onPage(box, mark), part })),
    )
  const others = tracesOn(marks.filter((mark) => !isEmbedded(mark)))
  let darkest: readonly Trace[] | undefined
  return {
    areas: marks.flatMap((mark) =>
      areasOf(mark).map((box) => ({ box: onPage(box, mark), isEmblem: emblems.has(mark) })),
    ),
    fonts: [...new Set(runsOf({ marks }).flatMap(({ font }) => font ?? []))],
    letters: embedded.map((run) => ({ box: onPage(extentOf(run), run), part: 1 })),
    traces: [...others, ...tracesOn(embedded)],
    darkest() {
      darkest ??= [
        ...others,
        ...embedded.map((run) => {
          const { box, part } = darkestTrace(document, run)
          return { box: onPage(box, run), part }
        }),
      ]
      return darkest
    },
  }
}

const isEmbedded = (mark: Mark) => mark.kind === 'text' && mark.font?.isEmbedded === true

/** The emblems of a look, as far as there are few enough edges and columns in their rows. */
function emblemsAmong(marks: readonly Mark[]): ReadonlySet<Mark> {
  let room = MOST_EDGES_IN_ROWS
  const isEmblem = (mark: Mark) => {
    if (mark.kind === 'text' || mark.curves.length === 0 || isWhite(mark)) return false
    if (mark.kind === 'stroke') return mark.lineWidth <= 2 * THIN
    if (room > 0) room -= costOfStrips(mark, room)
    return room > 0
  }
  return new Set(marks.filter(isEmblem))
}

const MOST_EDGES_IN_ROWS = 250_000
/** How many bytes can be looked at in the time of a step. */
const BYTES_IN_STEP = 3

/** In points: as large as no letter of a signature is. */
const LARGE = 36

/** All that the mark hides for sure. Of pale lines also the thinnest. */
export function areasOf(mark: Mark): Box[] {
  const box = boxOf(mark)
  if (mark.kind === 'text') {
    const hasWideLines = hasOutlines(mark) && mark.lineWidth > 2 * THIN
    const isSeen = mark.mode !== 3 && mark.mode !== 7 && mark.text?.trim() !== ''
    return isSeen && (hasWideLines || mark.reach > LARGE || isLight(mark)) ? [box] : []
  }
  if (!mark.covers) return []
  if (mark.kind === 'stroke') {
    if (mark.lineWidth > 2 * THIN)
      return [box, ...mark.spikes.map((spike) => grownBy(boxAround(spike), mark.lineWidth / 2))]
    if (!isLight(mark)) return []
    return mark.curves.length > 0 ? [box] : linesOf(mark)
  }
  return isThick(mark) || isLight(mark) ? [box] : []
}

const isThick = ({ box }: Paint) => widthOf(box) > THIN && heightOf(box) > THIN

/** The boxes of the straight lines of a path. */
const linesOf = ({ segments, lineWidth }: Paint): Box[] =>
  segments.map((segment) => grownBy(boxAround(segment), lineWidth / 2))

function tracesOf(mark: Mark, emblems: ReadonlySet<Mark>, spend: Spend): Trace[] {
  const box = boxOf(mark)
  if (mark.kind === 'text') return [{ box, part: blackPartOf(mark) }]
  if (mark.kind === 'stroke') return [...linesIn(mark), ...spikesIn(mark), ...curvesOf(mark)]
  if (!mark.covers) return [...(mark.shown ?? [{ box, part: BLACK_PART }])]
  if (mark.kind === 'fill' && !isThick(mark)) return [{ box, part: 1 }]
  return mark.kind === 'fill' && emblems.has(mark) ? stripsOf(mark, spend) : []
}

const linesIn = (mark: Paint): Trace[] =>
  linesOf(mark).map((line, at) => traceOf(line, lengthOf(mark.segments[at]!), mark))

const spikesIn = (mark: Paint): Trace[] =>
  mark.spikes.map((spike) =>
    traceOf(grownBy(boxAround(spike), mark.lineWidth / 2), lengthOf(spike), mark),
  )

const curvesOf = (mark: Paint): Trace[] =>
  mark.curves.map((curve) =>
    traceOf(grownBy(curve, mark.lineWidth / 2), widthOf(curve) + heightOf(curve), mark),
  )

const lengthOf = ([[x1, y1], [x2, y2]]: Segment) => Math.hypot(x1 - x2, y1 - y2)

const traceOf = (box: Box, length: number, { lineWidth }: Paint): Trace => ({
  box,
  part: Math.min(1, ((length + lineWidth) * lineWidth) / (areaOf(box) || 1)),
})
