import type { Point } from './bounds.ts'
import type { Step } from './char-string.ts'

/** A closed line around a filled area, in straight pieces. */
export type Contour = readonly Point[]

/** Into how many lines a curve is divided. */
const CHORDS = 4

const pointBetween = ([x1, y1]: Point, [x2, y2]: Point, part: number): Point => [
  x1 + (x2 - x1) * part,
  y1 + (y2 - y1) * part,
]

/** On a curve, by halving the lines between its control points again and again. */
function pointOn(control: readonly Point[], part: number): Point {
  let points = control
  while (points.length > 1)
    points = points.slice(1).map((point, at) => pointBetween(points[at]!, point, part))
  return points[0]!
}

const chordsOf = (control: readonly Point[]): Point[] =>
  Array.from({ length: CHORDS }, (_, at) => pointOn(control, (at + 1) / CHORDS))

/** A contour of TrueType: between two points beside its curves is one on them. @see ISO/IEC 14496-22, 5.3.3 */
export function quadraticContour(points: readonly Point[], isOn: readonly boolean[]): Contour {
  const [last, first] = [points.length - 1, points[0]!]
  const start = isOn[0]
    ? first
    : isOn[last]
      ? points[last]!
      : pointBetween(points[last]!, first, 1 / 2)
  const contour: Point[] = [start]
  let beside: Point | undefined
  const goTo = (point: Point) => {
    contour.push(...(beside ? chordsOf([contour.at(-1)!, beside, point]) : [point]))
    beside = undefined
  }
  for (const [at, point] of points.entries())
    if (isOn[at]) goTo(point)
    else {
      if (beside) goTo(pointBetween(beside, point, 1 / 2))
      beside = point
    }
  goTo(start)
  return contour
}

/** Collects the contours of a letter of the Compact Font Format. */
export function contourCollector() {
  const contours: Point[][] = []
  let waiting: Point[] = []
  return {
    contours: contours as readonly Contour[],
    add(point: Point, step: Step) {
      const contour = contours.at(-1)
      if (step === 'move' || !contour) contours.push([point])
      else if (step === 'line') contour.push(point)
      else {
        waiting.push(point)
        if (waiting.length < 3) return
        contour.push(...chordsOf([contour.at(-1)!, ...waiting]))
        waiting = []
      }
    },
  }
}
