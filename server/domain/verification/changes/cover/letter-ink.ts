import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type Densities, WINDOWS } from '#server/domain/pdf/outlines/densest-part.ts'
import {
  type Box,
  boxAround,
  cornersOf,
  grownBy,
} from '#server/domain/verification/looks/geometry.ts'
import { letterDensities } from '#server/domain/verification/looks/letter-densities.ts'
import type { Run, Trace } from '#server/domain/verification/looks/marks.ts'
import { boxOf, hasOutlines } from './mark-box.ts'

/** Of a dark letter about a third is black. */
export const BLACK_PART = 0.3

/** Outlines make letters bolder. */
export const blackPartOf = (run: Run) =>
  run.font?.drawsSigns || (hasOutlines(run) && run.lineWidth > run.reach / 15) ? 1 : BLACK_PART

/** Around letters that come with the file, by their outlines; usual ones where these are not computed. */
export function extentOf({ font, start, end, reach }: Run): Box {
  const { left, bottom, right, top } = font?.bounds() ?? USUAL_BOUNDS
  const farthest = Math.max(-left, -bottom, right - 1, top, 0) * reach
  const line = boxAround([start, end])
  const isFlat = start[1] === end[1] && end[0] >= start[0]
  return isFlat
    ? {
        left: line.left + left * reach,
        right: line.right + Math.max(0, right - 1) * reach,
        bottom: line.bottom + bottom * reach,
        top: line.top + top * reach,
      }
    : grownBy(line, farthest)
}

const USUAL_BOUNDS: Box = { left: 0, bottom: -0.25, right: 1, top: 0.75 }

/**
 * Letters that come with the file, as black as the outlines of the densest of them make it: one that fills its place as
 * a block does hides all that is below.
 */
export function darkestTrace(document: PdfDocument, run: Run): Trace {
  const usual = { box: boxOf(run), part: blackPartOf(run) }
  // What is painted through the letters of a clip counts by itself.
  if (run.font === undefined || isUnseen(run) || run.mode === CLIP) return usual
  const densest = document.once(letterDensities)(run.font)(run.codes)
  const part = densest ? darkestPartOf(run, densest) : 1
  return part === 1
    ? { box: boxAround([usual.box, extentOf(run)].flatMap(cornersOf)), part }
    : { ...usual, part: Math.max(usual.part, part) }
}

/** Nothing is painted with them, nor through them. @see ISO 32000-2:2020, table 104 */
export const isUnseen = ({ mode }: Run) => mode === 3
const CLIP = 7

/** In points: a digit of a usual scan is smaller. */
const DIGIT = 10
/** A glyph that fills so much of a window is a block. The letters of bold fonts fill less. */
const BLOCK = 0.7
/** In parts of the em: letters that stand nearer to each other, on average, are parts of a block. */
const NARROW = 0.45

/** What is filled of a window as large as a digit, or as a whole letter where that is smaller. */
function darkestPartOf(run: Run, densest: Densities): number {
  const inEms = DIGIT / run.reach
  const window = Math.max(
    0,
    WINDOWS.findLastIndex((side) => side <= inEms),
  )
  const part = densest[window]!
  if (part * crowdOf(run) >= BLOCK) return 1
  return part * PART_OF_LINE
}

/** How much of the height of a line the window of a whole letter is. */
const PART_OF_LINE = 0.6

/** How many letters stand in the place of one. */
function crowdOf({ letters, start, end, size, stretch }: Run): number {
  if (letters < 2) return 1
  const step = Math.hypot(end[0] - start[0], end[1] - start[1]) / letters
  return Math.max(1, (NARROW * Math.abs(size * stretch)) / step)
}
