import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type WorkMeter, workMeter } from '#server/domain/pdf/limits.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isName,
  isNamed,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { PLAIN, type Space, spaceOf } from './colour-spaces.ts'
import { decodedOf } from './decoded-data.ts'
import { decodeFax } from './fax.ts'
import { decodeJpeg } from './jpeg.ts'
import { MOST_SAMPLES, type Picture } from './picture.ts'

/**
 * `unread`: in fax Group 3, in JBIG2 or in JPEG 2000, broken, too large, or with colours in which what is pale among
 * the samples may be black.
 */
export type Reading = Picture | 'unread'

/** What reading pictures costs, apart from the structure of the file: one that is not read leaves a doubt alone. For `once`. */
export const pictureMeter = (document: PdfDocument): WorkMeter => workMeter(document.source.length)

/**
 * The samples of an image, read once: many fields stand over one scan. For `once`.
 *
 * @throws {PdfError} `too-complex`, by that meter
 * @see ISO 32000-2:2020, 8.9.5
 */
export function picturesOf(document: PdfDocument): (image: PdfStream) => Reading {
  const known = new Map<PdfStream, Reading>()
  let room = MOST_SAMPLES
  return (image) => {
    const kept = known.get(image)
    if (kept) return kept
    const reading = readingOf(document, image)
    room -= sizeOf(reading)
    if (room >= 0) known.set(image, reading)
    return reading
  }
}

const sizeOf = (reading: Reading) =>
  reading === 'unread' ? 0 : reading.reduce((sum, { samples }) => sum + samples.length, 0)

function readingOf(document: PdfDocument, image: PdfStream): Reading {
  const meter = document.once(pictureMeter)
  meter.spend(image.data.end - image.data.start)
  const { entries } = image.dictionary
  // Some readers take them for the long names, where these are missing or even beside them.
  if (SHORT_NAMES.some((key) => entries.has(key))) return 'unread'
  const written = document.resolve(entries.get('Filter'))
  const filters = isArray(written) ? written.items : [written]
  const last = document.resolve(filters.at(-1))
  const isJpeg = isName(last) && JPEG.has(last.value)
  const isFax = isNamed(last, 'CCITTFaxDecode')
  const value = (key: string) => document.resolve(entries.get(key))
  const isMask = value('ImageMask') === true
  const space = isMask ? PLAIN.DeviceGray : spaceOf(document, value('ColorSpace'))
  const bits = isMask ? 1 : isJpeg ? 8 : asCount(value('BitsPerComponent'))
  const [width, height] = [asCount(value('Width')), asCount(value('Height'))]
  // A colour that is left out is written as a sample.
  if (!space || !bits || !BITS.has(bits) || !width || !height || isArray(value('Mask')))
    return 'unread'
  if (width * height * space.count > MOST_SAMPLES) return 'unread'
  if (!isUsualDecode(document, value('Decode'), space, bits)) return 'unread'
  // A small stream may have many samples.
  meter.spend(width * height)
  const isCoded = isJpeg || isFax
  const data = decodedOf(document, isCoded ? withFilters(image, filters.slice(0, -1)) : image)
  if (!data) return 'unread'
  if (isFax) {
    const isGroup4 = bits === 1 && isOfGroup4(document, image, { width, height })
    const rows = isGroup4 ? decodeFax(data, width, height) : undefined
    return rows ? unpacked(rows, { width, height, bits }, space) : 'unread'
  }
  if (!isJpeg) return unpacked(data, { width, height, bits }, space)
  const planes = decodeJpeg(data, meter.spend)
  const isAsSaid =
    planes?.length === space.count &&
    !space.table &&
    planes.some((one) => one.width === width && one.height === height)
  return isAsSaid ? planes : 'unread'
}

const SHORT_NAMES = ['W', 'H', 'BPC', 'CS', 'D', 'IM', 'F', 'DP']

const JPEG = new Set(['DCTDecode', 'DCT'])

/** The stream as if only these of its filters were to be undone; the parameters of the others are not reached. */
function withFilters(image: PdfStream, items: readonly PdfObject[]): PdfStream {
  const entries = new Map(image.dictionary.entries).set('Filter', { kind: 'array', items })
  return { ...image, dictionary: { ...image.dictionary, entries } }
}

/**
 * Readers disagree about parameters that stand elsewhere, and about rows that are not those of the picture.
 *
 * @see ISO 32000-2:2020, table 11
 */
function isOfGroup4(
  document: PdfDocument,
  { dictionary: { entries } }: PdfStream,
  { width, height }: Pick<Layout, 'width' | 'height'>,
): boolean {
  const filter = document.resolve(entries.get('Filter'))
  const written = document.resolve(entries.get('DecodeParms'))
  if (isArray(filter) !== isArray(written)) return false
  const own = isArray(written) && isArray(filter) ? written.items[filter.items.length - 1] : written
  const usual: Record<string, readonly PdfObject[]> = {
    K: [-1],
    Columns: [width],
    Rows: [height, 0, null],
    BlackIs1: [true, false, null],
    EndOfBlock: [true, false, null],
    EndOfLine: [false, null],
    EncodedByteAlign: [false, null],
    DamagedRowsBeforeError: [0, null],
  }
  const parameters = entriesOf(document.resolve(own))
  return (
    [...parameters.keys()].every((key) => Object.hasOwn(usual, key)) &&
    Object.entries(usual).every(([key, values]) =>
      values.includes(document.resolve(parameters.get(key))),
    )
  )
}

const BITS = new Set([1, 2, 4, 8, 16])

/** Neither larger differences than the samples have, nor other entries of a table. */
function isUsualDecode(
  document: PdfDocument,
  decode: PdfObject,
  { table }: Space,
  bits: number,
): boolean {
  if (decode === null) return true
  const limits = isArray(decode) ? decode.items.map(document.resolve) : [null]
  if (table) return limits.length === 2 && limits[0] === 0 && limits[1] === 2 ** bits - 1
  return limits.every((limit) => typeof limit === 'number' && limit >= 0 && limit <= 1)
}

type Layout = { width: number; height: number; bits: number }

/** Rows begin with a byte of their own. Readers do not agree about samples, or colours of a table, that are missing. */
function unpacked(data: Uint8Array, { width, height, bits }: Layout, space: Space): Reading {
  const { count, table } = space
  const inSample = table ? 1 : count
  const stride = Math.ceil((width * inSample * bits) / 8)
  if (data.length < stride * height) return 'unread'
  const most = 2 ** bits - 1
  const planes = Array.from({ length: count }, () => new Uint8Array(width * height))
  const numberAt = (row: number, at: number): number => {
    const place = row * stride + Math.floor((at * bits) / 8)
    if (bits === 16) return data[place]! * 256 + data[place + 1]!
    return (data[place]! >> (8 - bits - ((at * bits) % 8))) & most
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = table ? numberAt(y, x) * count : 0
      if (table && colour >= table.length) return 'unread'
      for (let at = 0; at < count; at++)
        planes[at]![y * width + x] = table
          ? table[colour + at]!
          : (255 * numberAt(y, x * count + at)) / most
    }
  return planes.map((samples) => ({ width, height, samples }))
}
