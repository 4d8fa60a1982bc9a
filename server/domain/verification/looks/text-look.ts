import type { Frame } from './frame.ts'
import { hides, isEdge, isSamePaint } from './frame-lines.ts'
import { heightOf, intersection, isWithin, widthOf } from './geometry.ts'
import type { LookFont } from './look-font.ts'
import { type Paint, paintsOf, type Run, runsOf } from './marks.ts'

/** What decides how a text may be shown. */
export type TextRules = {
  /** What the widget showed when it was signed; undefined for nothing. Computed when it is asked for. */
  signed(): Frame | undefined
  /** The widget says that it has a background or a border, for readers that draw it themselves. */
  readonly hasColours: boolean
  /** One letter per cell, with lines between them. */
  readonly isComb: boolean
  readonly isMultiline: boolean
  /** A list shows its chosen items on a coloured ground. */
  readonly isList: boolean
  /** So large that its letters must stay those of a text. */
  readonly isLarge: boolean
  isKnown(font: LookFont): boolean
}

/** Letters of one height above the lower edge. */
export type ShownLine = { readonly text: string; readonly isMarked: boolean }

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
  const grounds: Paint[] = []
  let last: Run | undefined
  for (const mark of ink.marks) {
    if (mark.kind !== 'text') {
      if (!isBackground(mark, frame, rules, last === undefined)) return undefined
      if (mark.kind === 'fill') grounds.push(mark)
    } else if (isWritten(mark)) {
      if (!isLegible(mark, frame, rules) || !hasContrast(mark, grounds)) return undefined
      if (!follows(mark, last, frame, rules)) return undefined
      last = mark
    }
  }
  return linesOf(runs, grounds)
}

const isWritten = ({ text }: Run) => text?.trim() !== ''

function linesOf(runs: readonly Run[], grounds: readonly Paint[]): ShownLine[] {
  const lines: { text: string; isMarked: boolean; run: Run }[] = []
  for (const run of runs) {
    const line = lines.at(-1)
    if (line && isSameLine(run, line.run)) line.text += run.text
    else {
      const isMarked = grounds.some((ground) => isBehind(ground, run))
      lines.push({ text: run.text ?? '', isMarked, run })
    }
  }
  return lines
}

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
  comesBeforeText: boolean,
): boolean {
  if (paint.kind === 'picture') return false
  if (isEdge(paint, frame)) return true
  if (paint.kind === 'stroke')
    return isOldPaint(paint, rules) || (rules.isComb && isDivider(paint, frame))
  if (!comesBeforeText) return false
  const signed = rules.signed()
  const wasThere = signed
    ? paintsOf(signed.ink).some((old) => hides(old) && isWithin(paint.box, old.box, 1))
    : rules.hasColours
  return wasThere || (rules.isList && runsOf(frame.ink).some((run) => isBehind(paint, run)))
}

const isDivider = ({ segments, curves, lineWidth }: Paint, { height }: Frame) =>
  curves === 0 &&
  lineWidth <= 2 &&
  segments.every(
    ([[x1, y1], [x2, y2]]) => Math.abs(x1 - x2) < 0.1 && Math.abs(y1 - y2) >= height * 0.7,
  )

/** The ground of one line of a list, about as high as its letters. */
const isBehind = ({ box }: Paint, { start: [x, y], size }: Run) =>
  heightOf(box) <= 2 * size &&
  y >= box.bottom - size / 4 &&
  y + size / 2 <= box.top &&
  x >= box.left - size

function isLegible(run: Run, frame: Frame, rules: TextRules): boolean {
  const { font, size, stretch, mode, lineWidth } = run
  const usual = rules.isLarge ? LARGEST_IN_LARGE : Math.min(LARGEST, frame.height * 1.5)
  return (
    font !== undefined &&
    run.text !== undefined &&
    !font.drawsSigns &&
    rules.isKnown(font) &&
    run.isUpright &&
    run.isOpaque &&
    size >= SMALLEST &&
    (size <= usual || size <= largestWhenSigned(rules)) &&
    stretch >= 0.5 &&
    stretch <= 2 &&
    (mode === 0 || (mode === 2 && lineWidth <= size / 15)) &&
    advances(run) &&
    isShown(run, frame)
  )
}

function largestWhenSigned({ signed }: TextRules): number {
  const frame = signed()
  const sizes = frame ? runsOf(frame.ink).map((old) => old.size) : []
  return Math.max(0, ...sizes.slice(0, MOST_PAINTS))
}

/** Its letters stand one behind the other, neither over each other nor far apart. */
const advances = ({ letters, size, stretch, start: [x], leastEnd, mostEnd }: Run) =>
  leastEnd - x >= letters * size * stretch * 0.1 && mostEnd - x <= letters * size * stretch * 12

/** Letters of the colour of what is behind them cannot be seen. */
function hasContrast({ lightness, start: [x, y], size }: Run, grounds: readonly Paint[]): boolean {
  if (lightness === undefined) return false
  const ground = grounds.findLast(
    ({ box }) =>
      box.left <= x + size / 4 &&
      box.right >= x &&
      box.bottom <= y + size / 4 &&
      box.top >= y + size / 4,
  )
  return Math.abs(lightness - (ground ? (ground.lightness ?? lightness) : 1)) >= 0.15
}

/** A clip may keep the text inside of the field, but not hide a part of it. */
function isShown({ clip }: Run, { width, height }: Frame): boolean {
  const seen = intersection(clip, { left: 0, bottom: 0, right: width, top: height })
  return (
    widthOf(seen) >= width * 0.8 - 8 && heightOf(seen) >= height * 0.6 - 6 && heightOf(seen) > 0
  )
}

/** Letters follow the ones before them on the line, or begin a line below them. */
function follows(run: Run, last: Run | undefined, frame: Frame, rules: TextRules): boolean {
  const [x, y] = run.start
  const isInside = y >= -run.size * 0.35 && y <= frame.height - run.size * 0.25
  if (!last) return isInside && startsInside(run, frame)
  if (isSameLine(run, last)) {
    const isNext = x >= last.leastEnd - last.size * 0.3
    const isNear = x <= last.mostEnd + last.size * 2
    return isNext && (x <= frame.width || isNear)
  }
  const distance = last.start[1] - y
  const isBelow = distance > 0 && distance <= last.size * 3
  return isBelow && startsInside(run, frame) && (isInside || rules.isMultiline || rules.isList)
}

/** A text that is wider than its field and stands in its middle begins outside. */
function startsInside({ start: [x], letters, size, stretch }: Run, { width }: Frame): boolean {
  const isWider = letters * size * stretch * 0.6 > width
  return x <= width && (x >= -2 || (isWider && x >= -letters * size * stretch))
}
