import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isName,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { type Gray, MOST_PIXELS } from './gray.ts'
import { decodeJpeg } from './jpeg.ts'

const MOST_BYTES = 1 << 27

/** `unread`: for faxes, in JBIG2 or in JPEG 2000, broken, too large or of colours that are not computed. */
export type Reading = Gray | 'unread'

/**
 * The shades of an image, read once: many fields stand over one scan. For `once`.
 *
 * @see ISO 32000-2:2020, 8.9.5
 */
export function graysOf(document: PdfDocument): (image: PdfStream) => Reading {
  const known = new Map<PdfStream, Reading>()
  let room = MOST_PIXELS
  return (image) => {
    const kept = known.get(image)
    if (kept) return kept
    const reading = grayOf(document, image)
    const size = typeof reading === 'object' ? reading.samples.length : 0
    // A small stream may have many samples.
    document.meter.spend(size)
    room -= size
    if (room >= 0) known.set(image, reading)
    return reading
  }
}

function grayOf(document: PdfDocument, image: PdfStream): Reading {
  document.meter.spend(image.data.end - image.data.start)
  const { entries } = image.dictionary
  const written = document.resolve(entries.get('Filter'))
  const filters = isArray(written) ? written.items : [written]
  const last = document.resolve(filters.at(-1))
  const isJpeg = isName(last) && JPEG.has(last.value)
  const value = (key: string) => document.resolve(entries.get(key))
  const isMask = value('ImageMask') === true
  const shades = isMask ? oneByOne : shadesOf(document, value('ColorSpace'))
  const bits = isMask ? 1 : isJpeg ? 8 : asCount(value('BitsPerComponent'))
  if (!shades || !bits || !BITS.has(bits)) return 'unread'
  const most = shades.isTable ? 2 ** bits - 1 : 1
  if (!isUsualDecode(document, value('Decode'), most)) return 'unread'
  if (isJpeg) {
    const data = decodedOf(document, withFilters(image, filters.slice(0, -1)))
    return (!shades.isTable && data && decodeJpeg(data)) || 'unread'
  }
  const [width, height] = [asCount(value('Width')), asCount(value('Height'))]
  if (!width || !height || width * height > MOST_PIXELS) return 'unread'
  const data = decodedOf(document, image)
  return data ? unpacked(data, { width, height, bits }, shades) : 'unread'
}

const JPEG = new Set(['DCTDecode', 'DCT'])

/** The stream as if only these of its filters were to be undone; the parameters of the others are not reached. */
function withFilters(image: PdfStream, items: readonly PdfObject[]): PdfStream {
  const entries = new Map(image.dictionary.entries).set('Filter', { kind: 'array', items })
  return { ...image, dictionary: { ...image.dictionary, entries } }
}

const BITS = new Set([1, 2, 4, 8, 16])

/** As it is or inverted: others could make faint samples black. */
function isUsualDecode(document: PdfDocument, decode: PdfObject, most: number): boolean {
  if (decode === null) return true
  const limits = isArray(decode) ? decode.items.map(document.resolve) : [null]
  return limits.every((limit) => limit === 0 || limit === most)
}

function decodedOf(document: PdfDocument, image: PdfStream): Uint8Array | undefined {
  try {
    return document.decoded(image, MOST_BYTES)
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}

/** How a colour space turns components, from 0 to 1, or a number of a table, into a shade from 0 to 1. */
type Shades = {
  readonly count: number
  readonly isTable: boolean
  shade(components: readonly number[]): number
}

const oneByOne: Shades = { count: 1, isTable: false, shade: ([one = 0]) => one }
const ofLight: Shades = {
  count: 3,
  isTable: false,
  shade: ([r = 0, g = 0, b = 0]) => 0.3 * r + 0.59 * g + 0.11 * b,
}
const ofInk: Shades = {
  count: 4,
  isTable: false,
  shade: ([c = 0, m = 0, y = 0, k = 0]) => Math.max(0, 1 - k - 0.3 * c - 0.59 * m - 0.11 * y),
}
const BY_COUNT: Record<number, Shades> = { 1: oneByOne, 3: ofLight, 4: ofInk }
const BY_NAME: Record<string, Shades> = {
  ...{ DeviceGray: oneByOne, G: oneByOne, Separation: oneByOne },
  ...{ DeviceRGB: ofLight, RGB: ofLight, DeviceCMYK: ofInk, CMYK: ofInk },
}

function shadesOf(document: PdfDocument, space: PdfObject): Shades | undefined {
  const { name, base, table } = spaceOf(document, space)
  return name === 'Indexed' || name === 'I'
    ? ofTable(document, withoutTable(document, base), table)
    : withoutTable(document, space)
}

function withoutTable(document: PdfDocument, space: PdfObject): Shades | undefined {
  const { name, base } = spaceOf(document, space)
  if (name === 'ICCBased') return BY_COUNT[asCount(document.resolve(entriesOf(base).get('N'))) ?? 0]
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
}

function spaceOf(document: PdfDocument, space: PdfObject) {
  const items = isArray(space) ? space.items.map(document.resolve) : [space]
  const [family = null, base = null, , table = null] = items
  return { name: isName(family) ? family.value : '', base, table }
}

function ofTable(
  document: PdfDocument,
  base: Shades | undefined,
  table: PdfObject,
): Shades | undefined {
  const bytes = isString(table)
    ? table.bytes
    : isStream(table)
      ? decodedOf(document, table)
      : undefined
  if (!base || !bytes) return undefined
  const shade = ([at = 0]: readonly number[]) =>
    base.shade([...bytes.subarray(at * base.count, (at + 1) * base.count)].map((one) => one / 255))
  return { count: 1, isTable: true, shade }
}

type Layout = { width: number; height: number; bits: number }

/** Rows begin with a byte of their own. Samples that are missing are 0. */
function unpacked(
  data: Uint8Array,
  { width, height, bits }: Layout,
  { count, isTable, shade }: Shades,
): Gray {
  const samples = new Uint8Array(width * height)
  const stride = Math.ceil((width * count * bits) / 8)
  const most = isTable ? 1 : 2 ** bits - 1
  const shades = new Map<number, number>()
  const sampleAt = (row: number, at: number): number => {
    const place = row * stride + Math.floor((at * bits) / 8)
    if (bits === 16) return (data[place] ?? 0) * 256 + (data[place + 1] ?? 0)
    return ((data[place] ?? 0) >> (8 - bits - ((at * bits) % 8))) & (2 ** bits - 1)
  }
  const components: number[] = Array(count).fill(0)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      for (let at = 0; at < count; at++) components[at] = sampleAt(y, x * count + at) / most
      const known = count === 1 ? shades.get(components[0]!) : undefined
      const value = known ?? Math.round(255 * shade(components))
      if (count === 1) shades.set(components[0]!, value)
      samples[y * width + x] = value
    }
  return { width, height, samples }
}
