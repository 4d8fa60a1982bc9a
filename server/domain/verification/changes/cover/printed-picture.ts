import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { isStream } from '#server/domain/pdf/object.ts'
import type { Plane } from '#server/domain/pdf/pictures/picture.ts'
import { picturesOf } from '#server/domain/pdf/pictures/read-picture.ts'
import {
  areaOf,
  type Box,
  boxAround,
  cornersOf,
  grownBy,
  heightOf,
  intersection,
  isWithin,
  type Matrix,
  type Point,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Paint } from '#server/domain/verification/looks/marks.ts'

/**
 * Whether pictures show something in one of the places, as a scan shows digits: more than the lines of a form. One that cannot
 * be read, as those that are coded for faxes, in JBIG2 or in JPEG 2000, may show anything; so may one that stands among the
 * instructions, which is no scan.
 */
export function isPrintedIn(
  document: PdfDocument,
  pictures: readonly Paint[],
  places: readonly Box[],
): boolean {
  return places.some((place) => {
    const below = pictures.filter((picture) => areaOf(seenIn(picture, place)) > 0)
    // Pale ones that are mixed with what is below them make it darker together.
    const together = Math.max(1, below.filter(({ isOpaque }) => !isOpaque).length)
    return below.some((picture) => isPictureIn(document, picture, { place, together }))
  })
}

const seenIn = ({ box, clip }: Paint, place: Box) => intersection(intersection(box, clip), place)

/** A place over pictures, and how many of them are mixed there. */
type Below = { readonly place: Box; readonly together: number }

function isPictureIn(document: PdfDocument, picture: Paint, { place, together }: Below): boolean {
  const { image, box, clip } = picture
  if (!image || !isUpright(image.matrix)) return true
  const shown = seenIn(picture, place)
  if (isStroke(intersection(box, clip), place) && areaOf(shown) >= LEAST) return true
  const { stream, matrix } = image
  const masks = ['SMask', 'Mask'].map((key) => document.resolve(stream.dictionary.entries.get(key)))
  return [stream, ...masks.filter(isStream)].some((one) => {
    const planes = document.once(picturesOf)(one)
    if (planes === 'unread') return true
    return planes.some((plane) => isPrinted(document, { plane, matrix, together }, shown))
  })
}

/** Several small pictures can be the strokes of a digit. */
const isStroke = (picture: Box, place: Box) =>
  Math.max(widthOf(picture), heightOf(picture)) < LINE && !isWithin(place, picture, 0)

/** Its rows and columns are at right angles. */
const isUpright = ([a, b, c, d]: Matrix) =>
  Math.abs(a * c + b * d) < (Math.hypot(a, b) * Math.hypot(c, d)) / 100

type Placed = { readonly plane: Plane; readonly matrix: Matrix; readonly together: number }

function isPrinted(
  { meter }: PdfDocument,
  { plane, matrix, together }: Placed,
  place: Box,
): boolean {
  const grid = gridOf(plane, matrix)
  const inside = cropOf(grid, place)
  if (!inside) return false
  const shades = shadesOf(plane, grid, inside, meter)
  const ground = medianOf(shades)
  const least = LEAST_CONTRAST / together
  const isPrint = (shade: number) => Math.abs(shade - ground) > least
  const enough = LEAST / grid.side ** 2
  if (shades.filter(isPrint).length < enough) return false
  const around = cropOf(grid, grownBy(place, AROUND)) ?? inside
  const ink = Uint8Array.from(shadesOf(plane, grid, around, meter), (shade) =>
    isPrint(shade) ? 1 : 0,
  )
  meter.spend(COST * ink.length)
  const isLine = linesIn(ink, around, LINE / grid.side)
  let count = 0
  for (let at = 0; at < ink.length; at++) {
    const x = around.left + (at % around.across)
    const y = around.top + Math.floor(at / around.across)
    const isInside =
      x >= inside.left &&
      x < inside.left + inside.across &&
      y >= inside.top &&
      y < inside.top + inside.up
    if (isInside && ink[at] === 1 && !isLine(at)) count++
  }
  return count >= enough
}

/** In points: lines are longer than what they cross. */
const AROUND = 20
/** In square points: of a digit of 6 points some five are black. */
const LEAST = 1.5
/** In bytes, of each cell that lines are looked for in. */
const COST = 20
/** In points, of the sides of a cell: strokes of letters are as wide as three. */
const FINEST = 1 / 3
/** Of 255: more than the noise of a scan. */
const LEAST_CONTRAST = 32

/** Square cells of a picture, each as large as some samples, or as one where these are large. */
type Grid = {
  readonly matrix: Matrix
  /** In points. */
  readonly side: number
  /** In samples. */
  readonly wide: number
  readonly high: number
  /** In cells: the last ones may be narrower. */
  readonly columns: number
  readonly rows: number
}

function gridOf({ width, height }: Plane, matrix: Matrix): Grid {
  const [a, b, c, d] = matrix
  const [across, up] = [Math.hypot(a, b) / width, Math.hypot(c, d) / height]
  const least = Math.max(FINEST, across, up)
  const [wide, high] = [least / across, least / up].map((count) => Math.max(1, Math.floor(count)))
  return {
    matrix,
    side: Math.sqrt(wide! * across * high! * up),
    wide: wide!,
    high: high!,
    columns: width / wide!,
    rows: height / high!,
  }
}

/** Some cells of a grid. */
type Crop = {
  readonly left: number
  readonly top: number
  readonly across: number
  readonly up: number
}

/** Undefined outside of the picture, and for a picture without an area. */
function cropOf({ matrix, columns, rows }: Grid, place: Box): Crop | undefined {
  const [a, b, c, d, e, f] = matrix
  const size = a * d - b * c
  if (!(Math.abs(size) > 0)) return undefined
  const corners = cornersOf(place).map(([x, y]): Point => {
    const [right, up] = [x - e, y - f]
    return [((d * right - c * up) / size) * columns, (1 - (a * up - b * right) / size) * rows]
  })
  const found = boxAround(corners)
  const [left, top] = [Math.max(0, Math.floor(found.left)), Math.max(0, Math.floor(found.bottom))]
  const across = Math.min(Math.ceil(columns), Math.ceil(found.right)) - left
  const up = Math.min(Math.ceil(rows), Math.ceil(found.top)) - top
  return across > 0 && up > 0 ? { left, top, across, up } : undefined
}

/** The average of each cell, as the eye sees it. */
function shadesOf(
  { samples, width, height }: Plane,
  { wide, high }: Grid,
  { left, top, across, up }: Crop,
  meter: WorkMeter,
): Uint8Array {
  meter.spend((across * up * (wide * high + MORE)) / SAMPLES_OF_BYTE)
  return Uint8Array.from({ length: across * up }, (_, at) => {
    const [x, y] = [(left + (at % across)) * wide, (top + Math.floor(at / across)) * high]
    const [right, bottom] = [Math.min(width, x + wide), Math.min(height, y + high)]
    let sum = 0
    for (let row = y; row < bottom; row++)
      for (let place = row * width + x; place < row * width + right; place++) sum += samples[place]!
    return sum / ((right - x) * (bottom - y))
  })
}

/** How many samples cost as much as a byte of syntax, and how many a cell itself. */
const [SAMPLES_OF_BYTE, MORE] = [8, 8] as const

/** What is most of a place is its ground. */
function medianOf(shades: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const shade of shades) counts[shade]!++
  let below = 0
  return counts.findIndex((count) => {
    below += count
    return 2 * below >= shades.length
  })
}

/** In points: longer than letters that touch each other. */
const LINE = 30

/**
 * Whether ink belongs to a line across the place or up, though the scan is a little slanted.
 *
 * @param long in cells
 */
function linesIn(ink: Uint8Array, { across, up }: Crop, long: number): (at: number) => boolean {
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
