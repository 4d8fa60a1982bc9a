import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  asCount,
  isArray,
  isNamed,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import {
  type Box,
  boxAround,
  cornersOf,
  heightOf,
  type Matrix,
  transformed,
  widthOf,
} from './geometry.ts'
import type { Trace } from './marks.ts'

const MAX_MASK = 4 << 20
/** In points: smaller than a letter. */
const SIDE = 3
const MOST_CELLS = 200
const UNIT_SQUARE: Box = { left: 0, bottom: 0, right: 1, top: 1 }

/**
 * Where a picture is seen that is mostly transparent, as a written name is. Undefined for any other picture, and for one
 * whose mask is not computed here.
 *
 * @param matrix from the unit square to the canvas
 * @see ISO 32000-2:2020, 11.6.5.2
 */
export function shownThrough(
  document: PdfDocument,
  image: PdfStream,
  matrix: Matrix,
): Trace[] | undefined {
  const mask = document.resolve(image.dictionary.entries.get('SMask'))
  const samples = isStream(mask) ? samplesOf(document, mask) : undefined
  if (!samples || averageOf(samples.bytes) >= 0.5) return undefined
  const place = boxAround(cornersOf(UNIT_SQUARE).map((corner) => transformed(matrix, corner)))
  const { width, height, bytes } = samples
  // Turned by a quarter, the columns are as high as the picture.
  const isTurned = Math.abs(matrix[1]) > Math.abs(matrix[0])
  const [across, up] = isTurned
    ? [heightOf(place), widthOf(place)]
    : [widthOf(place), heightOf(place)]
  const [columns, rows] = [cellsIn(across, width), cellsIn(up, height)]
  if (columns > MOST_CELLS || rows > MOST_CELLS) return undefined
  const sums = new Float64Array(columns * rows)
  const counts = new Float64Array(columns * rows)
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height) * columns
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * columns) / width)
      sums[cell]! += bytes[y * width + x]!
      counts[cell]! += 255
    }
  }
  return Array.from(sums, (sum, cell): Trace => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    const part: Box = {
      left: column / columns,
      right: (column + 1) / columns,
      top: 1 - row / rows,
      bottom: 1 - (row + 1) / rows,
    }
    const corners = cornersOf(part).map((corner) => transformed(matrix, corner))
    return { box: boxAround(corners), part: sum / counts[cell]! }
  }).filter(({ part }) => part > LEAST_SEEN)
}

/** Not finer than the samples are. */
const cellsIn = (length: number, samples: number) =>
  Math.max(1, Math.min(samples, Math.ceil(length / SIDE)))

/** Paler parts leave all that is below legible. */
const LEAST_SEEN = 0.05

type Samples = { width: number; height: number; bytes: Uint8Array }

/** One byte each, of which 255 is opaque. */
function samplesOf(document: PdfDocument, mask: PdfStream): Samples | undefined {
  const { entries } = mask.dictionary
  const value = (key: string): PdfObject => document.resolve(entries.get(key))
  const isPlain =
    value('BitsPerComponent') === 8 &&
    isNamed(value('ColorSpace'), 'DeviceGray') &&
    isUsual(value('Decode'))
  // Readers cut off the fraction of a size.
  const [width, height] = [asCount(value('Width')), asCount(value('Height'))]
  if (!isPlain || !width || !height) return undefined
  const bytes = decodedOf(document, mask)
  return bytes?.length === width * height ? { width, height, bytes } : undefined
}

const isUsual = (decode: PdfObject) =>
  decode === null || (isArray(decode) && decode.items[0] === 0 && decode.items[1] === 1)

function decodedOf(document: PdfDocument, mask: PdfStream): Uint8Array | undefined {
  try {
    return document.decoded(mask, MAX_MASK)
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}

const averageOf = (bytes: Uint8Array) =>
  bytes.reduce((sum, byte) => sum + byte, 0) / (255 * Math.max(1, bytes.length))
