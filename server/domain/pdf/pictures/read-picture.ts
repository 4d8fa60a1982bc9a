import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { type WorkMeter, workMeter } from '#server/domain/pdf/limits.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isName,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { decodeJpeg } from './jpeg.ts'
import { MOST_SAMPLES, type Picture } from './picture.ts'
import { isPlainProfile } from './plain-profile.ts'

const MOST_BYTES = 1 << 27

/**
 * `unread`: for faxes, in JBIG2 or in JPEG 2000, broken, too large, or with colours in which what is pale among the samples
 * may be black.
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
  const data = decodedOf(document, isJpeg ? withFilters(image, filters.slice(0, -1)) : image)
  if (!data) return 'unread'
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

function decodedOf(document: PdfDocument, image: PdfStream): Uint8Array | undefined {
  try {
    return document.decoded(image, MOST_BYTES)
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}

/** A colour space in which small differences of components are small differences of colours. */
type Space = {
  /** Of components. */
  readonly count: number
  /** The components of each colour, one after the other, for samples that are its numbers. */
  readonly table?: Uint8Array
}

const PLAIN: Record<'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK', Space> = {
  DeviceGray: { count: 1 },
  DeviceRGB: { count: 3 },
  DeviceCMYK: { count: 4 },
}

function spaceOf(document: PdfDocument, space: PdfObject): Space | undefined {
  const [family, base, last, table] = partsOf(document, space)
  if (!isNamed(family, 'Indexed')) return withoutTable(document, space)
  const colours = withoutTable(document, base)
  const bytes = isString(table) ? table.bytes : isStream(table) && decodedOf(document, table)
  const size = typeof last === 'number' && colours ? (last + 1) * colours.count : 0
  return colours && bytes && size > 0 && size <= bytes.length
    ? { count: colours.count, table: bytes.subarray(0, size) }
    : undefined
}

function withoutTable(document: PdfDocument, space: PdfObject): Space | undefined {
  const [family, first, alternate, tint] = partsOf(document, space)
  if (isNamed(family, 'ICCBased')) return ofProfile(document, first)
  const isTint = isNamed(family, 'Separation') && isStraight(document, tint)
  if (isTint) return ofDevice(alternate) && PLAIN.DeviceGray
  return ofDevice(family)
}

const ofDevice = (name: PdfObject): Space | undefined =>
  isName(name) && Object.hasOwn(PLAIN, name.value)
    ? PLAIN[name.value as keyof typeof PLAIN]
    : undefined

type Parts = [family: PdfObject, first: PdfObject, second: PdfObject, third: PdfObject]

function partsOf(document: PdfDocument, space: PdfObject): Parts {
  const items = isArray(space) ? space.items.map(document.resolve) : [space]
  const [family = null, first = null, second = null, third = null] = items
  return [family, first, second, third]
}

/** Some readers take the alternate of a profile, and others the profile. @see ISO 32000-2:2020, 8.6.5.5 */
function ofProfile(document: PdfDocument, profile: PdfObject): Space | undefined {
  const entries = entriesOf(profile)
  const count = asCount(document.resolve(entries.get('N')))
  const alternate = document.resolve(entries.get('Alternate'))
  const isUsual = alternate === null || ofDevice(alternate)?.count === count
  const bytes = isStream(profile) && isUsual && decodedOf(document, profile)
  return count && bytes && isPlainProfile(bytes, count) ? { count } : undefined
}

/** From one colour to another without a bend. @see ISO 32000-2:2020, 7.10.3 */
function isStraight(document: PdfDocument, tint: PdfObject): boolean {
  const value = (key: string) => document.resolve(entriesOf(tint).get(key))
  const colours = ['C0', 'C1'].flatMap((key) => {
    const written = value(key)
    return isArray(written) ? written.items.map(document.resolve) : []
  })
  return (
    value('FunctionType') === 2 &&
    value('N') === 1 &&
    colours.every((one) => typeof one === 'number' && one >= 0 && one <= 1)
  )
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
