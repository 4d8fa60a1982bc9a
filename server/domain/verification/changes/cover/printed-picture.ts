import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isStream, type PdfStream } from '#server/domain/pdf/object.ts'
import type { Gray } from '#server/domain/pdf/pictures/gray.ts'
import { graysOf } from '#server/domain/pdf/pictures/read-gray.ts'
import {
  areaOf,
  type Box,
  boxAround,
  cornersOf,
  grownBy,
  intersection,
  type Matrix,
  type Point,
} from '#server/domain/verification/looks/geometry.ts'
import type { Paint } from '#server/domain/verification/looks/marks.ts'

/**
 * Whether a picture shows something in a place, as a scan shows digits: more than the lines of a form. One that cannot be
 * read, as those that are coded for faxes, in JBIG2 or in JPEG 2000, may show anything; so may one that stands among the
 * instructions, which is no scan.
 */
export function isPrintedIn(
  document: PdfDocument,
  { image, box, clip }: Paint,
  place: Box,
): boolean {
  const shown = intersection(intersection(box, clip), place)
  if (areaOf(shown) === 0) return false
  if (!image) return true
  const { stream, matrix } = image
  const masks = ['SMask', 'Mask'].map((key) => document.resolve(stream.dictionary.entries.get(key)))
  return [stream, ...masks.filter(isStream)].some((one) => isPrinted(document, one, matrix, shown))
}

function isPrinted(document: PdfDocument, stream: PdfStream, matrix: Matrix, place: Box): boolean {
  const gray = document.once(graysOf)(stream)
  if (typeof gray === 'string') return gray === 'unread'
  const around = cropOf(gray, matrix, grownBy(place, AROUND))
  const inside = cropOf(gray, matrix, place)
  if (!around || !inside) return false
  document.meter.spend(COST * around.across * around.up)
  const ink = inkOf(gray, around, medianOf(gray, inside))
  const isLine = linesIn(ink, around)
  let count = 0
  for (let at = 0; at < ink.length; at++) {
    const x = around.left + (at % around.across) * around.step
    const y = around.top + Math.floor(at / around.across) * around.step
    const isInside = x >= inside.left && x < inside.right && y >= inside.top && y < inside.bottom
    if (isInside && ink[at] === 1 && !isLine(at)) count++
  }
  const side = around.step / around.inPoint
  return count * side * side >= LEAST
}

/** In points: lines are longer than what they cross. */
const AROUND = 20
/** In square points: of a digit of 6 points some five are black. */
const LEAST = 1.5
/** In bytes, of each sample that is looked at. */
const COST = 20

/** A part of a picture: from which samples to which, and every how many of them is looked at. */
type Crop = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly step: number
  readonly across: number
  readonly up: number
  /** How many samples a point has. */
  readonly inPoint: number
}

/** Undefined outside of the picture, and for a picture without an area. */
function cropOf({ width, height }: Gray, matrix: Matrix, place: Box): Crop | undefined {
  const [a, b, c, d, e, f] = matrix
  const size = a * d - b * c
  if (!(Math.abs(size) > 0)) return undefined
  const corners = cornersOf(place).map(([x, y]): Point => {
    const [right, up] = [x - e, y - f]
    return [((d * right - c * up) / size) * width, (1 - (a * up - b * right) / size) * height]
  })
  const found = boxAround(corners)
  const [left, top] = [Math.max(0, Math.floor(found.left)), Math.max(0, Math.floor(found.bottom))]
  const [right, bottom] = [
    Math.min(width, Math.ceil(found.right)),
    Math.min(height, Math.ceil(found.top)),
  ]
  const inPoint = Math.sqrt((width * height) / Math.abs(size))
  const step = Math.max(1, Math.floor(inPoint / FINEST))
  const [across, up] = [Math.ceil((right - left) / step), Math.ceil((bottom - top) / step)]
  return across > 0 && up > 0 ? { left, top, right, bottom, step, across, up, inPoint } : undefined
}

/** In samples of a point: strokes of letters are as wide as one or two. */
const FINEST = 3

/** What is most of a place is its ground. */
function medianOf({ samples, width }: Gray, { left, top, step, across, up }: Crop): number {
  const counts = new Uint32Array(256)
  for (let y = 0; y < up; y++)
    for (let x = 0; x < across; x++) counts[samples[(top + y * step) * width + left + x * step]!]!++
  let below = 0
  return counts.findIndex((count) => {
    below += count
    return 2 * below >= across * up
  })
}

/** 1 where a sample differs from the ground. */
function inkOf(
  { samples, width }: Gray,
  { left, top, step, across, up }: Crop,
  ground: number,
): Uint8Array {
  return Uint8Array.from({ length: across * up }, (_, at) => {
    const place = (top + Math.floor(at / across) * step) * width + left + (at % across) * step
    return Math.abs(samples[place]! - ground) > LEAST_CONTRAST ? 1 : 0
  })
}

/** Of 255: more than the noise of a scan. */
const LEAST_CONTRAST = 32

/** In points: longer than letters that touch each other. */
const LINE = 30

/** Whether ink belongs to a line across the place or up, though the scan is a little slanted. */
function linesIn(ink: Uint8Array, { across, up, step, inPoint }: Crop): (at: number) => boolean {
  const long = (LINE * inPoint) / step
  const runs = [
    runsAlong(ink, { count: across, stride: 1 }, { count: up, stride: across }),
    runsAlong(ink, { count: up, stride: across }, { count: across, stride: 1 }),
  ]
  return (at) => runs.some((run) => run[at]! >= long)
}

type Axis = { count: number; stride: number }

/** How long the line is along an axis on which each sample lies, if it goes on beside, or one sample off. */
function runsAlong(ink: Uint8Array, along: Axis, beside: Axis): Uint32Array {
  const [forth, back] = [new Uint32Array(ink.length), new Uint32Array(ink.length)]
  for (const [runs, isBack] of [
    [forth, false],
    [back, true],
  ] as const)
    for (let step = 0; step < along.count; step++)
      for (let lane = 0; lane < beside.count; lane++) {
        const place = isBack ? along.count - 1 - step : step
        const at = place * along.stride + lane * beside.stride
        if (ink[at] !== 1) continue
        const before = at + (isBack ? along.stride : -along.stride)
        const longest = [-1, 0, 1].map((off) =>
          step > 0 && lane + off >= 0 && lane + off < beside.count
            ? runs[before + off * beside.stride]!
            : 0,
        )
        runs[at] = 1 + Math.max(...longest)
      }
  return forth.map((length, at) => (length > 0 ? length + back[at]! - 1 : 0))
}
