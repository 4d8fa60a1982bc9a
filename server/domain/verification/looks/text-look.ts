import type { Frame } from './frame.ts'
import { hides, isEdge, isGround, isRectangle, isSamePaint } from './frame-lines.ts'
import { heightOf, intersection, isWithin, widthOf } from './geometry.ts'
import type { LookFont } from './look-font.ts'
import { type Paint, paintsOf, type Run, runsOf } from './marks.ts'
import { hasPlainOutline, MOST_UNLIKE_SHADE } from './outline.ts'

/** What decides how a text may be shown. */
export type TextRules = {
  /** What the widget showed when it was signed; undefined for nothing. Computed when it is asked for. */
  signed(): Frame | undefined
  /** The widget says that it has a background or a border, for readers that draw it themselves. */
  readonly hasColours: boolean
  /** How many cells of one letter each there are, with lines between them; 0 for none. */
  readonly cells: number
  readonly isMultiline: boolean
  /** A list shows its chosen items on a coloured ground. */
  readonly isList: boolean
  /** So large that its letters must stay those of a text. */
  readonly isLarge: boolean
  /** In points, as the form states; undefined where readers choose it. */
  readonly defaultSize: number | undefined
  isKnown(font: LookFont): boolean
}

/** Letters of one height above the lower edge. */
export type ShownLine = {
  readonly text: string
  readonly isMarked: boolean
  /** The lines from the first to this one take all the room that the field has. */
  readonly isLastWithRoom: boolean
}

/** In points. */
const [SMALLEST, LARGEST, LARGEST_IN_LARGE] = [2, 60, 24] as const
/** More than the longest texts of forms have. */
const [MOST_RUNS, MOST_PAINTS] = [5000, 200] as const

/**
 * The lines that a person reads in the look, in their order; undefined when the look shows anything besides, hides some
 * of it, or could be read in another way.
 */
export function legibleLines(frame: Frame, rules: TextRules): ShownLine[] | undefined {
  const { ink } = frame
  const [runs, paints] = [runsOf(ink).filter(isWritten), paintsOf(ink)]
  if (ink.isOdd || runs.length > MOST_RUNS || paints.length > MOST_PAINTS) return undefined
  if (!haveOneSize(runs) || areOverlooked(runs, frame, rules)) return undefined
  const grounds: Paint[] = []
  let last: Run | undefined
  for (const mark of ink.marks) {
    if (mark.kind !== 'text') {
      if (!isBackground(mark, frame, rules, last)) return undefined
      if (mark.kind === 'fill' && isRectangle(mark)) grounds.push(mark)
    } else if (isWritten(mark)) {
      if (!isLegible(mark, frame, rules) || !hasContrast(mark, grounds)) return undefined
      if (!follows(mark, last, frame, rules)) return undefined
      if (!isAboveFoot(mark) && !beginsAtTop(runs[0]!, frame.height)) return undefined
      last = mark
    }
  }
  if (!haveOneShade(runs, grounds, rules)) return undefined
  return areLinesShown(runs, frame, rules) ? linesOf(runs, grounds, frame) : undefined
}

/** A digit that is smaller than the others is passed over by readers. */
function haveOneSize(runs: readonly Run[]): boolean {
  const sizes = runs.map(({ size }) => size)
  return Math.max(...sizes, 0) <= Math.min(...sizes, Number.POSITIVE_INFINITY) * MOST_UNLIKE
}

/** So is a paler one. The chosen items of a list have a shade of their own, on their ground. */
function haveOneShade(
  runs: readonly Run[],
  grounds: readonly Paint[],
  { isList }: TextRules,
): boolean {
  const isMarked = (run: Run) => isList && hasMark(run, grounds)
  return [runs.filter(isMarked), runs.filter((run) => !isMarked(run))].every((alike) => {
    const shades = alike.map(({ lightness = 1 }) => lightness)
    return Math.max(...shades, 0) - Math.min(...shades, 1) <= MOST_UNLIKE_SHADE
  })
}

/** Smaller letters are read only when nothing larger would fit: in points, and by the height of the field. */
const [SMALLEST_WITH_ROOM, LEAST_OF_HEIGHT] = [5, 0.5] as const

/** Letters like specks in a field that has room for larger ones, and neither states such a size nor was signed with it. */
function areOverlooked(
  runs: readonly Run[],
  frame: Frame,
  { signed, defaultSize }: TextRules,
): boolean {
  const largest = Math.max(...runs.map(({ size }) => size))
  if (runs.length === 0 || largest >= Math.min(SMALLEST_WITH_ROOM, frame.height * LEAST_OF_HEIGHT))
    return false
  const rows = rowsOf(runs)
  const widest = Math.max(...rows.map((row) => row.at(-1)!.likelyEnd - row[0]!.start[0]))
  const isFull = widest >= frame.width / 2 || rows.length * largest >= frame.height / 2
  return !isFull && largest < Math.min(defaultSize ?? LARGEST, smallestIn(signed()))
}

const smallestIn = (frame: Frame | undefined) =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...(frame ? runsOf(frame.ink).filter(isWritten).slice(0, MOST_RUNS) : []).map(
      ({ size }) => size,
    ),
  )

/** How much larger some letters of a text may be than others. */
const MOST_UNLIKE = 1.25
/** The largest letters, in points, that may run over the edge of a field that was signed with smaller ones or none. */
const LARGEST_CUT = 12

/**
 * The field cuts off a text only where there is no room for it: one that ends beyond the right edge begins at the left
 * one, and one that begins beyond the left edge leaves no room at the right.
 */
function areLinesShown(runs: readonly Run[], frame: Frame, { signed }: TextRules): boolean {
  return rowsOf(runs).every((row) => {
    const [first, last] = [row[0]!, row.at(-1)!]
    const [start, end] = [first.start[0], last.likelyEnd]
    const doubt = first.size * 0.3 + (end - start) * 0.1
    const [isCutBefore, isCutBehind] = [start < -2, end > frame.width + doubt]
    const letters = row.reduce((sum, run) => sum + run.letters * run.size * run.stretch, 0)
    const isCut = isCutBefore || isCutBehind
    if (isCut && (first.size > usualSize(signed()) || end - start > letters)) return false
    if (isCutBefore && last.mostEnd < frame.width * 0.8) return false
    return !isCutBehind || start <= frame.width * 0.1 + first.size
  })
}

const usualSize = (signed: Frame | undefined) =>
  Math.max(LARGEST_CUT, ...(signed ? runsOf(signed.ink).map(({ size }) => size) : []).slice(0, 200))

/** Runs that stand on one height, in their order. */
function rowsOf(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = []
  for (const run of runs) {
    const row = rows.at(-1)
    if (row && isSameLine(run, row[0]!)) row.push(run)
    else rows.push([run])
  }
  return rows
}

const isWritten = ({ text }: Run) => text?.trim() !== ''

const linesOf = (runs: readonly Run[], grounds: readonly Paint[], { height }: Frame): ShownLine[] =>
  rowsOf(runs).map(([first, ...others]) => ({
    text: [first!, ...others].map(({ text }) => text ?? '').join(''),
    isMarked: hasMark(first!, grounds),
    isLastWithRoom: beginsAtTop(runs[0]!, height) && first!.start[1] <= first!.size * 2,
  }))

const beginsAtTop = ({ start: [, y], size }: Run, height: number) => y >= height - size * 2.5

const isSameLine = (run: Run, last: Run) =>
  Math.abs(run.start[1] - last.start[1]) <= last.size * 0.25

const isOldPaint = (paint: Paint, { signed }: TextRules) => {
  const old = signed()
  return old !== undefined && paintsOf(old.ink).some((one) => isSamePaint(one, paint))
}

/** An area behind the text that was there before, the edge of the field, the lines between cells, a chosen item. */
function isBackground(
  paint: Paint,
  frame: Frame,
  rules: TextRules,
  last: Run | undefined,
): boolean {
  const comesBeforeText = last === undefined
  if (paint.kind === 'picture') return false
  if (isEdge(paint, frame)) return true
  if (paint.kind === 'stroke')
    return (
      isOldPaint(paint, rules) ||
      ((comesBeforeText || isDark(paint)) && isDivider(paint, frame, rules.cells))
    )
  if (rules.isList && isGroundOfItem(paint, frame, last)) return true
  if (!comesBeforeText) return false
  const signed = rules.signed()
  const wasThere = signed
    ? paintsOf(signed.ink).some((old) => hides(old) && isWithin(paint.box, old.box, 1))
    : rules.hasColours
  return isOldPaint(paint, rules) || (wasThere && isGround(paint, frame))
}

/** Programs draw it at first, or before its item: below the letters of the items above. */
const isGroundOfItem = (paint: Paint, { ink }: Frame, last: Run | undefined) =>
  isRectangle(paint) &&
  runsOf(ink).some((run) => isBehind(paint, run)) &&
  (!last || paint.box.top <= last.start[1] - last.size * LOWEST + ROUNDING)

/** In points: coordinates have two decimals. */
const ROUNDING = 0.05

const isDark = ({ lightness = 1 }: Paint) => lightness <= 0.6

/** A digit where two cells meet is taken for the line between them. */
function isBetweenCells({ letters, start: [x], likelyEnd }: Run, cells: number, { width }: Frame) {
  if (cells === 0 || letters !== 1) return false
  const cell = ((x + likelyEnd) / 2 / width) * cells
  return Math.abs(cell - Math.round(cell)) < 0.15
}

/** A line where two cells meet. */
const isDivider = (
  { segments, curves, lineWidth }: Paint,
  { width, height }: Frame,
  cells: number,
) =>
  cells > 0 &&
  curves.length === 0 &&
  lineWidth <= 2 &&
  segments.length <= cells &&
  segments.every(([[x1, y1], [x2, y2]]) => {
    const cell = (x1 / width) * cells
    const isBetween = Math.abs(cell - Math.round(cell)) * (width / cells) <= EDGE_OF_CELL
    return isBetween && Math.abs(x1 - x2) < 0.1 && Math.abs(y1 - y2) >= height * 0.7
  })

/** In points: the border of a field takes some of the first and the last cell. */
const EDGE_OF_CELL = 2

/** The ground of one line of a list, about as high as its letters. */
const isBehind = (ground: Paint, run: Run) =>
  heightOf(ground.box) <= 2 * run.size && isAround(ground, run)

const isAround = ({ box }: Paint, { start: [x, y], likelyEnd, size }: Run) =>
  y >= box.bottom - size / 4 &&
  y + size / 2 <= box.top &&
  x >= box.left - size &&
  box.right >= Math.min(likelyEnd, x + FIRST_LETTERS * size) - size

/** In parts of their size: the field cuts long texts off. */
const FIRST_LETTERS = 4

/** Programs mark an item with a ground that is darker than that of the list: a lighter one marks the others. */
function hasMark(run: Run, grounds: readonly Paint[]): boolean {
  const behind = grounds.filter((ground) => isAround(ground, run))
  const last = behind.at(-1)
  const { lightness: list = 0 } = behind.findLast((ground) => !isBehind(ground, run)) ?? PAPER
  return last !== undefined && isBehind(last, run) && (last.lightness ?? 1) <= list - LEAST_DARKER
}

const PAPER = { lightness: 1 }
const LEAST_DARKER = 0.1

function isLegible(run: Run, frame: Frame, rules: TextRules): boolean {
  const { font, size, stretch } = run
  const usual = rules.isLarge ? LARGEST_IN_LARGE : Math.min(LARGEST, frame.height * 1.5)
  return (
    font !== undefined &&
    run.text !== undefined &&
    run.isApart &&
    !font.drawsSigns &&
    rules.isKnown(font) &&
    run.isUpright &&
    run.isOpaque &&
    size >= SMALLEST &&
    (size <= usual || size <= largestWhenSigned(rules)) &&
    stretch >= 0.5 &&
    stretch <= 2 &&
    hasPlainOutline(run) &&
    advances(run, rules) &&
    isShown(run, frame) &&
    !isCutByClip(run, frame) &&
    !isBetweenCells(run, rules.cells, frame)
  )
}

function largestWhenSigned({ signed }: TextRules): number {
  const frame = signed()
  const sizes = frame ? runsOf(frame.ink).map((old) => old.size) : []
  return Math.max(0, ...sizes.slice(0, MOST_PAINTS))
}

/** Its letters stand one behind the other, neither over each other nor far apart. */
function advances(
  { letters, size, stretch, start: [x], leastEnd, mostEnd }: Run,
  rules: TextRules,
) {
  const [least, most] = [0.1, rules.cells > 0 ? 12 : 2.5]
  const letter = letters * size * stretch
  return leastEnd - x >= letter * least && mostEnd - x <= letter * most
}

/** Letters of the colour of what is behind them cannot be seen. */
function hasContrast(
  { lightness, start: [x, y], likelyEnd, size }: Run,
  grounds: readonly Paint[],
): boolean {
  if (lightness === undefined) return false
  const ground = grounds.findLast(
    ({ box }) =>
      box.left <= Math.max(x, likelyEnd - size / 4) &&
      box.right >= x &&
      box.bottom <= y + size / 4 &&
      box.top >= y + size / 4,
  )
  return Math.abs(lightness - (ground ? (ground.lightness ?? lightness) : 1)) >= LEAST_CONTRAST
}

const LEAST_CONTRAST = 0.35

/** A clip may keep the text inside of the field, but not hide a part of it. */
function isShown({ clip }: Run, { width, height }: Frame): boolean {
  const seen = intersection(clip, { left: 0, bottom: 0, right: width, top: height })
  return (
    widthOf(seen) >= width * 0.8 - 8 && heightOf(seen) >= height * 0.6 - 6 && heightOf(seen) > 0
  )
}

/** A clip inside of the field begins no later than the letters, and ends no earlier. */
function isCutByClip({ clip, start: [x, y], likelyEnd, size }: Run, { width, height }: Frame) {
  const isInside = x >= 0 && y >= 0
  return (
    isInside &&
    ((clip.left > x + size / 4 && clip.left > 0) ||
      (clip.right < Math.min(likelyEnd, width - EDGE_OF_CLIP) - size / 4 && clip.right < width) ||
      (clip.bottom > y + size * LOWEST && clip.bottom > 0) ||
      (clip.top < y + size * HIGHEST && clip.top < height))
  )
}

/** In points: a wide border and the space inside of it. */
const EDGE_OF_CLIP = 8

/** Letters follow the ones before them on the line, or begin a line below them. */
function follows(run: Run, last: Run | undefined, frame: Frame, rules: TextRules): boolean {
  const [x, y] = run.start
  const isInside = isWhole(run, frame)
  if (!last) return isInside && startsInside(run, frame)
  if (isSameLine(run, last)) {
    if (!isInside && isWhole(last, frame)) return false
    const isNext = x >= last.leastEnd - last.size * 0.3
    const isNear = x <= last.mostEnd + last.size * 2
    return isNext && (x <= frame.width || isNear)
  }
  const distance = last.start[1] - y
  const isBelow = distance > 0 && distance <= last.size * 3
  // Lines are cut off at the foot of the field where the ones above leave no room.
  const isCut =
    (rules.isMultiline || rules.isList) &&
    distance <= last.size * 1.75 &&
    run.size <= usualSize(rules.signed())
  return isBelow && startsInside(run, frame) && (isInside || isCut)
}

const isWhole = (run: Run, { height }: Frame) =>
  isAboveFoot(run) && run.start[1] <= height - run.size * HIGHEST

const isAboveFoot = ({ start: [, y], size }: Run) => y >= -size * LOWEST

/** How much of the size of a letter may be cut off above its foot, and must be left above it: most have 0.52 to 0.73. */
const [LOWEST, HIGHEST] = [0.2, 0.55] as const

/** A text that is wider than its field and stands in its middle begins outside. */
function startsInside({ start: [x], letters, size, stretch }: Run, { width }: Frame): boolean {
  const isWider = letters * size * stretch * 0.6 > width
  return x <= width && (x >= -2 || (isWider && x >= -letters * size * stretch))
}
