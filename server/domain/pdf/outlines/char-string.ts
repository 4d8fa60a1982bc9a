import type { Point, Spend } from './bounds.ts'
import { type CffIndex, shortNumberAt, viewOf } from './cff-file.ts'

/** How an outline comes to a point: on a new contour, along a line, or by one of the three points of a curve. */
export type Step = 'move' | 'line' | 'curve'

export type Draw = (point: Point, step: Step) => void

export type Subrs = { readonly local: CffIndex | undefined; readonly global: CffIndex }

/** A letter that is being drawn. */
type Pen = {
  x: number
  y: number
  stack: number[]
  hints: number
  /** Its first operator may have the width of the letter before its operands. */
  mayHaveWidth: boolean
  isDone: boolean
  readonly subrs: Subrs
  readonly draw: Draw
  readonly spend: Spend
}

const MAX_DEPTH = 10
const MAX_STACK = 48

/**
 * Gives all points of the outline of a letter, those beside its curves too.
 *
 * @throws {RangeError} for instructions that are not plain lines and curves
 * @see Adobe Technical Note 5177
 */
export function drawCharString(code: Uint8Array, subrs: Subrs, draw: Draw, spend: Spend): void {
  const start = { x: 0, y: 0, stack: [], hints: 0, mayHaveWidth: true, isDone: false }
  run(code, { ...start, subrs, draw, spend }, 0)
}

const [CALL_SUBR, RETURN, ESCAPE, END_CHAR, CALL_GLOBAL_SUBR] = [10, 11, 12, 14, 29]
const [SHORT, FIXED, FIRST_NUMBER] = [28, 255, 32]
const [HINT_MASK, COUNTER_MASK] = [19, 20]

function run(code: Uint8Array, pen: Pen, depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError('a letter calls too deeply')
  const view = viewOf(code)
  for (let at = 0; at < code.length && !pen.isDone; ) {
    pen.spend(1)
    const first = view.getUint8(at)
    if (first >= FIRST_NUMBER || first === SHORT) {
      at += push(pen, view, at)
      continue
    }
    at += 1
    if (first === RETURN && depth > 0) return
    if (first === CALL_SUBR || first === CALL_GLOBAL_SUBR)
      run(subrOf(pen, first === CALL_SUBR ? pen.subrs.local : pen.subrs.global), pen, depth + 1)
    else if (first === HINT_MASK || first === COUNTER_MASK) {
      hint(pen)
      at += Math.ceil(pen.hints / 8)
    } else if (first === ESCAPE) draw(pen, 0x0c00 | view.getUint8(at++))
    else if (first === END_CHAR) {
      operandsOf(pen, 0)
      pen.isDone = true
    } else draw(pen, first)
  }
}

/** @returns how many bytes the number has */
function push(pen: Pen, view: DataView, at: number): number {
  if (pen.stack.length === MAX_STACK) throw new RangeError('a letter has too many operands')
  const first = view.getUint8(at)
  const [value, length] =
    first === SHORT
      ? [view.getInt16(at + 1), 3]
      : first === FIXED
        ? [view.getInt32(at + 1) / 65_536, 5]
        : shortNumberAt(view, at)
  pen.stack.push(value)
  return length
}

/** The numbers of short lists are below 0. */
const biasOf = ({ count }: CffIndex) => (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768)

function subrOf({ stack }: Pen, subrs: CffIndex | undefined): Uint8Array {
  const number = stack.pop()
  if (!subrs || number === undefined) throw new RangeError('a letter calls nothing')
  return subrs.at(number + biasOf(subrs))
}

/** The operands of an operator that ends what came before, without the width of the letter. */
function operandsOf(pen: Pen, count: number): number[] {
  const { stack, mayHaveWidth } = pen
  const extra = stack.length - count
  if (extra < 0 || extra > (mayHaveWidth ? 1 : 0)) throw new RangeError('a letter has odd operands')
  pen.mayHaveWidth = false
  pen.stack = []
  return stack.slice(extra)
}

/** Hints are pairs of edges. */
function hint(pen: Pen): void {
  pen.hints += operandsOf(pen, 2 * Math.floor(pen.stack.length / 2)).length / 2
}

type Operator = (pen: Pen) => void

function draw(pen: Pen, operator: number): void {
  const drawing = OPERATORS.get(operator)
  if (!drawing) throw new RangeError('a letter has an unknown operator')
  drawing(pen)
}

function go(pen: Pen, step: Step, dx: number, dy: number): void {
  pen.x += dx
  pen.y += dy
  pen.draw([pen.x, pen.y], step)
}

/** Distances in pairs: each point from the one before. */
function goAll(pen: Pen, step: Step, distances: readonly number[]): void {
  for (let at = 0; at < distances.length; at += 2) go(pen, step, distances[at]!, distances[at + 1]!)
}

/** The operands of an operator that draws. @throws {RangeError} before a place was taken, or for another number of them */
function drawn({ stack, mayHaveWidth }: Pen, isRight: (count: number) => boolean): number[] {
  if (mayHaveWidth || !isRight(stack.length)) throw new RangeError('a letter has odd operands')
  return stack.splice(0)
}

/** The number of operands for groups of so many, and one more if it may. */
const groupsOf =
  (size: number, mayHaveOneMore = false) =>
  (count: number) =>
    count >= size && (count % size === 0 || (mayHaveOneMore && count % size === 1))
const exactly = (wanted: number) => (count: number) => count === wanted

/** Lines along the axes, in turn. */
const axisLines =
  (startsAcross: boolean): Operator =>
  (pen) => {
    for (const [at, step] of drawn(pen, groupsOf(1)).entries())
      if ((at % 2 === 0) === startsAcross) go(pen, 'line', step, 0)
      else go(pen, 'line', 0, step)
  }

/** Curves that begin and end along the same axis; the first one may begin beside it. */
const flatCurves =
  (isAcross: boolean): Operator =>
  (pen) => {
    const steps = drawn(pen, groupsOf(4, true))
    let beside = steps.length % 4 === 1 ? steps.shift()! : 0
    for (let at = 0; at < steps.length; at += 4) {
      const [a = 0, bx = 0, by = 0, c = 0] = steps.slice(at, at + 4)
      goAll(pen, 'curve', isAcross ? [a, beside, bx, by, c, 0] : [beside, a, bx, by, 0, c])
      beside = 0
    }
  }

/** Curves that begin along one axis and end along the other, in turn; the last one may end beside it. */
const roundCurves =
  (startsAcross: boolean): Operator =>
  (pen) => {
    const steps = drawn(pen, groupsOf(4, true))
    const last = steps.length % 4 === 1 ? steps.pop()! : 0
    for (let at = 0; at < steps.length; at += 4) {
      const [a = 0, bx = 0, by = 0, c = 0] = steps.slice(at, at + 4)
      const beside = at + 4 === steps.length ? last : 0
      const isAcross = (at % 8 === 0) === startsAcross
      goAll(pen, 'curve', isAcross ? [a, 0, bx, by, beside, c] : [0, a, bx, by, c, beside])
    }
  }

/* Two curves that are almost a line, named as in the standard. */

function horizontalFlex(pen: Pen): void {
  const [a = 0, bx = 0, by = 0, c = 0, d = 0, e = 0, f = 0] = drawn(pen, exactly(7))
  goAll(pen, 'curve', [a, 0, bx, by, c, 0, d, 0, e, -by, f, 0])
}

function horizontalFlexOne(pen: Pen): void {
  const [ax = 0, ay = 0, bx = 0, by = 0, c = 0, ...rest] = drawn(pen, exactly(9))
  const [d = 0, ex = 0, ey = 0, f = 0] = rest
  goAll(pen, 'curve', [ax, ay, bx, by, c, 0, d, 0, ex, ey, f, -(ay + by + ey)])
}

/** Its last operand is along the axis in which it is longer; in the other one it ends where it began. */
function flexOne(pen: Pen): void {
  const steps = drawn(pen, exactly(11))
  const last = steps.pop()!
  const [dx, dy] = [0, 1].map((axis) =>
    steps.reduce((sum, step, at) => (at % 2 === axis ? sum + step : sum), 0),
  ) as [number, number]
  goAll(pen, 'curve', [...steps, ...(Math.abs(dx) > Math.abs(dy) ? [last, -dy] : [-dx, last])])
}

function curvesAndLine(pen: Pen): void {
  const steps = drawn(pen, (count) => groupsOf(6)(count - 2))
  goAll(pen, 'curve', steps.slice(0, -2))
  goAll(pen, 'line', steps.slice(-2))
}

/** One line at least, as the standard wants it. */
function linesAndCurve(pen: Pen): void {
  const steps = drawn(pen, (count) => groupsOf(2)(count - 6))
  goAll(pen, 'line', steps.slice(0, -6))
  goAll(pen, 'curve', steps.slice(-6))
}

/** By their numbers. @see Adobe Technical Note 5177, appendix A */
const OPERATORS: ReadonlyMap<number, Operator> = new Map<number, Operator>([
  ...[1, 3, 18, 23].map((operator) => [operator, hint] as const),
  [4, (pen) => goAll(pen, 'move', [0, ...operandsOf(pen, 1)])],
  [5, (pen) => goAll(pen, 'line', drawn(pen, groupsOf(2)))],
  [6, axisLines(true)],
  [7, axisLines(false)],
  [8, (pen) => goAll(pen, 'curve', drawn(pen, groupsOf(6)))],
  [21, (pen) => goAll(pen, 'move', operandsOf(pen, 2))],
  [22, (pen) => goAll(pen, 'move', [...operandsOf(pen, 1), 0])],
  [24, curvesAndLine],
  [25, linesAndCurve],
  [26, flatCurves(false)],
  [27, flatCurves(true)],
  [30, roundCurves(false)],
  [31, roundCurves(true)],
  [0x0c22, horizontalFlex],
  [0x0c23, (pen) => goAll(pen, 'curve', drawn(pen, exactly(13)).slice(0, 12))],
  [0x0c24, horizontalFlexOne],
  [0x0c25, flexOne],
])
