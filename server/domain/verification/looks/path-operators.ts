import { type Box, boxAround, grownBy, intersection, type Point, transformed } from './geometry.ts'
import { covers, isRecoloured } from './graphics.ts'
import { type Paint, plainPaint } from './marks.ts'
import {
  addRectangle,
  close,
  curveTo,
  emptyPath,
  end,
  lineTo,
  moveTo,
  rectangleOf,
  spikesOf,
} from './path.ts'
import { addMark, addShown, type Operator, type OperatorTable, type Pen, scaleOf } from './pen.ts'

const paint =
  (how: { fills?: true; strokes?: true; closes?: true; isEvenOdd?: true }): Operator =>
  (pen) => {
    if (how.closes) close(pen.path)
    end(pen.path)
    for (const kind of [how.fills && 'fill', how.strokes && 'stroke'] as const)
      if (kind && pen.path.points.length > 0) {
        const mark = painted(kind, pen, how.isEvenOdd)
        addMark(pen.sheet, mark)
        addShown(pen, grownBy(mark.box, mark.lineWidth / 2), shownBy(pen, kind))
      }
    if (pen.clips) clipTo(pen, rectangleOf(pen.path))
    pen.clips = false
    pen.path = emptyPath()
  }

function painted(kind: 'fill' | 'stroke', { path, graphics }: Pen, isEvenOdd = false): Paint {
  const lineWidth = graphics.lineWidth * scaleOf(graphics.matrix)
  const lightness = kind === 'fill' ? graphics.fill : graphics.stroke
  const { segments, curves, closings, arcs } = path
  return {
    ...plainPaint(kind, boxAround(path.points), graphics.clip),
    segments,
    curves,
    arcs,
    ...(kind === 'fill'
      ? { closings, isEvenOdd }
      : { spikes: spikesOf(path, { ...graphics, lineWidth }) }),
    lineWidth,
    isDashed: graphics.isDashed,
    lightness,
    isRecoloured: isRecoloured(graphics),
    isOpaque: graphics.isOpaque,
    covers: covers(graphics, kind, lightness),
  }
}

function shownBy({ graphics }: Pen, kind: 'fill' | 'stroke') {
  if (graphics.isMasked) return 'unread'
  return kind === 'fill' ? graphics.fillsPattern : graphics.strokesPattern
}

function clipTo(pen: Pen, box: Box | undefined): void {
  if (box) {
    pen.graphics = { ...pen.graphics, clip: intersection(pen.graphics.clip, box) }
    return
  }
  pen.sheet.isOdd = true
  // What is painted inside of it has its outline.
  const outline = { kind: 'stroke', lineWidth: 0, lightness: undefined, covers: false } as const
  addMark(pen.sheet, { ...painted('fill', pen), ...outline })
}

const place = (pen: Pen, x: number | undefined, y: number | undefined): Point =>
  transformed(pen.graphics.matrix, [x ?? Number.NaN, y ?? Number.NaN])

/** Paths: construction, painting and clipping. @see ISO 32000-2:2020, tables 58, 59 and 60 */
export const PATH_OPERATORS: OperatorTable = {
  m: (pen, [x, y]) => moveTo(pen.path, place(pen, x, y)),
  l: (pen, [x, y]) => lineTo(pen.path, place(pen, x, y)),
  c: (pen, [a, b, c, d, e, f]) =>
    curveTo(pen.path, [place(pen, a, b), place(pen, c, d), place(pen, e, f)]),
  v: (pen, [a, b, c, d]) => curveTo(pen.path, [place(pen, a, b), place(pen, c, d)]),
  y: (pen, [a, b, c, d]) => curveTo(pen.path, [place(pen, a, b), place(pen, c, d)]),
  h: (pen) => close(pen.path),
  re: (pen, [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN]) =>
    addRectangle(pen.path, [
      place(pen, x, y),
      place(pen, x + width, y),
      place(pen, x + width, y + height),
      place(pen, x, y + height),
    ]),
  W: (pen) => {
    pen.clips = true
  },
  'W*': (pen) => {
    pen.clips = true
  },
  n: paint({}),
  f: paint({ fills: true }),
  F: paint({ fills: true }),
  'f*': paint({ fills: true, isEvenOdd: true }),
  S: paint({ strokes: true }),
  s: paint({ strokes: true, closes: true }),
  B: paint({ fills: true, strokes: true }),
  'B*': paint({ fills: true, strokes: true, isEvenOdd: true }),
  b: paint({ fills: true, strokes: true, closes: true }),
  'b*': paint({ fills: true, strokes: true, closes: true, isEvenOdd: true }),
}
