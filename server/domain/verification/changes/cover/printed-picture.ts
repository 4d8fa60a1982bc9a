import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { isStream } from '#server/domain/pdf/object.ts'
import type { Plane } from '#server/domain/pdf/pictures/picture.ts'
import { pictureMeter, picturesOf } from '#server/domain/pdf/pictures/read-picture.ts'
import {
  areaOf,
  type Box,
  boxAround,
  cornersOf,
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
 * be read, as those in fax Group 3, in JBIG2 or in JPEG 2000, may show anything; so may one that stands among the
 * instructions, which is no scan, and what costs more to read than honest files do.
 */
export const isPrintedIn = (
  document: PdfDocument,
  pictures: readonly Paint[],
  places: readonly Box[],
) => isShownIn(document, pictures, { places, ...LETTER })

/** The same of a place that is hidden: a number without its decimal point is another one, and pale letters are gone. */
export const isAnythingIn = (document: PdfDocument, pictures: readonly Paint[], place: Box) =>
  [POINT, PALE_LETTER].some((wanted) =>
    isShownIn(document, pictures, { places: [place], ...wanted }),
  )

type Print = {
  /** In square points. */
  readonly least: number
  /** Of 255: how much the average of a square differs from the ground. */
  readonly contrast: number
  /** In points, of the sides of a square: strokes of letters are as wide as three of the finest. */
  readonly finest: number
}
type Wanted = Print & { readonly places: readonly Box[] }

function isShownIn(
  document: PdfDocument,
  pictures: readonly Paint[],
  { places, ...wanted }: Wanted,
): boolean {
  try {
    return places.some((place) => isAnyShown(document, pictures, place, wanted))
  } catch (error) {
    if (error instanceof PdfError && error.code === 'too-complex') return true
    throw error
  }
}

function isAnyShown(
  document: PdfDocument,
  pictures: readonly Paint[],
  place: Box,
  { least, contrast, finest }: Print,
): boolean {
  const below = pictures.filter((picture) => areaOf(seenIn(picture, place)) > 0)
  // Pale ones that are mixed with what is below them make it darker together.
  const together = Math.max(1, below.filter(({ isOpaque }) => !isOpaque).length)
  const pictured = below.map((picture) =>
    layersOf(document, picture, { place, least: contrast / together, finest }),
  )
  const groundOf = groundsOf(pictured.flat())
  // Each may show a stroke of a digit.
  const inkOfAll = (measure: (layer: Placed, ground: number) => number) => {
    const inkOf = (layer: Layer) =>
      typeof layer === 'number' ? layer : measure(layer, groundOf(layer))
    return pictured.reduce((sum, layers) => sum + Math.max(...layers.map(inkOf)), 0)
  }
  return inkOfAll(inkIn) >= least && inkOfAll(inkBesideLines) >= least
}

/** What is most of a place is its ground: of all rows together, if the page is cut into them. */
function groundsOf(layers: readonly Layer[]): (layer: Placed) => number {
  const known = new Map<string | Placed, number>()
  const keyOf = (layer: Placed) => layer.part ?? layer
  const placed = layers.filter((layer) => typeof layer !== 'number')
  for (const [key, alike] of Map.groupBy(placed, keyOf))
    known.set(key, medianOf(alike.map(shadesIn)))
  return (layer) => known.get(keyOf(layer))!
}

const seenIn = ({ box, clip }: Paint, place: Box) => intersection(intersection(box, clip), place)

/** `least`: how much what is printed differs from its ground, of 255. `finest`: in points. */
type Below = { readonly place: Box; readonly least: number; readonly finest: number }

/** What a picture may show in a place: a component of its samples or of its masks, or a number of square points. */
type Layer = number | Placed
const UNREAD: readonly Layer[] = [Number.POSITIVE_INFINITY]

function layersOf(
  document: PdfDocument,
  picture: Paint,
  { place, least, finest }: Below,
): readonly Layer[] {
  const { image, box, clip } = picture
  if (!image || !isUpright(image.matrix)) return UNREAD
  const shown = seenIn(picture, place)
  if (isStroke(intersection(box, clip), place)) return [areaOf(shown)]
  const { stream, matrix } = image
  const masks = ['SMask', 'Mask'].map((key) => document.resolve(stream.dictionary.entries.get(key)))
  const meter = document.once(pictureMeter)
  const isPart = !isWithin(place, intersection(box, clip), ROUNDING)
  return [stream, ...masks].flatMap((one, mask) => {
    if (!isStream(one)) return []
    const planes = document.once(picturesOf)(one)
    if (planes === 'unread') return UNREAD
    return planes.map((plane, component) => ({
      plane,
      grid: gridOf(plane, matrix, finest),
      place: shown,
      part: isPart ? [mask, component, planes.length].join(' ') : undefined,
      least,
      meter,
    }))
  })
}

/** Several small pictures can be the strokes of a digit. */
const isStroke = (picture: Box, place: Box) =>
  Math.max(widthOf(picture), heightOf(picture)) < LINE && !isWithin(place, picture, 0)

/** Its rows and columns are at right angles. */
const isUpright = ([a, b, c, d]: Matrix) =>
  Math.abs(a * c + b * d) < (Math.hypot(a, b) * Math.hypot(c, d)) / 100

type Placed = {
  readonly plane: Plane
  readonly grid: Grid
  readonly place: Box
  /** Which component of the pictures that a place is cut into; undefined for one that covers all of it. */
  readonly part: string | undefined
  /** How much what is printed differs from its ground. */
  readonly least: number
  readonly meter: WorkMeter
}

function shadesIn({ plane, grid, place, meter }: Placed): Uint8Array {
  const inside = cropOf(grid, place)
  return inside ? shadesOf(plane, grid, inside, meter) : new Uint8Array()
}

/** The cells of the place that differ from its ground. */
function cellsOf({ plane, grid, place, least, meter }: Placed, ground: number) {
  const inside = cropOf(grid, place)
  if (!inside) return undefined
  const isInk = (shade: number) => (Math.abs(shade - ground) > least ? 1 : 0)
  return { inside, ink: shadesOf(plane, grid, inside, meter).map(isInk), isInk }
}

const areaOfInk = ({ side }: Grid, ink: Uint8Array) =>
  ink.reduce((sum, one) => sum + one, 0) * side ** 2

/** In square points. */
const inkIn = (layer: Placed, ground: number): number =>
  areaOfInk(layer.grid, cellsOf(layer, ground)?.ink ?? new Uint8Array())

/** The same without the lines of forms. */
function inkBesideLines(layer: Placed, ground: number): number {
  const { plane, grid, place, meter } = layer
  const cells = cellsOf(layer, ground)
  if (!cells?.ink.includes(1)) return 0
  const { inside, ink, isInk } = cells
  for (const direction of ['across', 'up'] as const) {
    const around = cropOf(grid, grownAlong(place, direction)) ?? inside
    const inkAround = shadesOf(plane, grid, around, meter).map(isInk)
    meter.spend(COST * inkAround.length)
    const lines = linesIn(inkAround, { around, direction, side: grid.side })
    for (let at = 0; at < ink.length; at++) {
      const x = inside.left - around.left + (at % inside.across)
      const y = inside.top - around.top + Math.floor(at / inside.across)
      if (lines[y * around.across + x] === 1) ink[at] = 0
    }
  }
  return areaOfInk(grid, ink)
}

type Ruled = { readonly around: Crop; readonly direction: Direction; readonly side: number }

/** What is long and thin in a direction. A row that is shaded is not: there are digits in it. */
function linesIn(ink: Uint8Array, { around, direction, side }: Ruled): Uint8Array {
  const long = atLeast(LINE / side, runsIn(ink, around, direction))
  const thick = atLeast(
    THICK / side,
    runsIn(long, around, direction === 'across' ? 'up' : 'across'),
  )
  if (!thick.includes(1)) return long
  // Where lines cross they are thick as well, but not for long.
  const rows = atLeast(CROSSING / side, runsIn(thick, around, direction))
  return long.map((one, at) => (rows[at] === 1 ? 0 : one))
}

const atLeast = (least: number, lengths: Uint32Array) =>
  Uint8Array.from(lengths, (length) => (length >= least ? 1 : 0))

type Direction = 'across' | 'up'

/** Far enough to see a line in that direction, which may be a little slanted. */
function grownAlong({ left, bottom, right, top }: Box, direction: Direction): Box {
  const [x, y] = direction === 'across' ? [AROUND, SLANTED] : [SLANTED, AROUND]
  return { left: left - x, bottom: bottom - y, right: right + x, top: top + y }
}

/** In points: lines are longer than what they cross. */
const [AROUND, SLANTED] = [20, 1] as const
/** In points: longer than letters that touch each other. */
const LINE = 30
/** In points: wider than the lines of forms, and longer than where these cross. */
const [THICK, CROSSING] = [3, 8] as const
/** Of a digit of 6 points some five square points are black, and of its decimal point 0.3. Scans have some noise. */
const LETTER: Print = { least: 1.5, contrast: 32, finest: 1 / 3 }
const POINT: Print = { ...LETTER, least: 0.2 }
const PALE_LETTER: Print = { least: 1.5, contrast: 16, finest: 1 }
/** In points: the edges of a scan that covers its page. */
const ROUNDING = 0.5
/** In bytes, of each cell that lines are looked for in. */
const COST = 16
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

function gridOf({ width, height }: Plane, matrix: Matrix, finest: number): Grid {
  const [a, b, c, d] = matrix
  const [across, up] = [Math.hypot(a, b) / width, Math.hypot(c, d) / height]
  const least = Math.max(finest, across, up)
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

function medianOf(parts: readonly Uint8Array[]): number {
  const counts = new Uint32Array(256)
  for (const shades of parts) for (const shade of shades) counts[shade]!++
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  let below = 0
  return counts.findIndex((count) => {
    below += count
    return 2 * below >= total
  })
}

/** How long the line of ink is in a direction on which each cell lies, if it goes on beside, or one cell off. */
function runsIn(ink: Uint8Array, { across, up }: Crop, direction: Direction): Uint32Array {
  const [rows, columns] = [
    { count: up, stride: across },
    { count: across, stride: 1 },
  ]
  const [along, beside] = direction === 'across' ? [columns, rows] : [rows, columns]
  const forth = runsFrom(ink, along, beside)
  const back = runsFrom(ink.toReversed(), along, beside).reverse()
  return forth.map((length, at) => (length > 0 ? length + back[at]! - 1 : 0))
}

type Axis = { count: number; stride: number }

function runsFrom(ink: Uint8Array, along: Axis, beside: Axis): Uint32Array {
  const runs = new Uint32Array(ink.length)
  for (let step = 0; step < along.count; step++)
    for (let lane = 0; lane < beside.count; lane++) {
      const at = step * along.stride + lane * beside.stride
      if (ink[at] !== 1) continue
      const before = at - along.stride
      let longest = 0
      if (step > 0) {
        longest = runs[before]!
        if (lane > 0) longest = Math.max(longest, runs[before - beside.stride]!)
        if (lane + 1 < beside.count) longest = Math.max(longest, runs[before + beside.stride]!)
      }
      runs[at] = longest + 1
    }
  return runs
}
