import { crc32, deflateSync } from 'node:zlib'
import { type Palette, type Pixels, paletteOf } from './palette.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const GREYSCALE = 0
const TRUECOLOUR = 2
const PALETTE = 3
/** Bytes as they are, or each as its difference from the one above. */
const FILTER_NONE = 0
const FILTER_UP = 2

/**
 * The pixels as a PNG file, without any loss: in grey where no pixel has a colour, with a palette where there are
 * few colours.
 *
 * @see ISO/IEC 15948:2004 (PNG), clauses 7 to 11
 */
export function encodePng(pixels: Pixels): Uint8Array {
  if (isGrey(pixels)) return fileOf(pixels, { colourType: GREYSCALE, rows: filtered(pixels, 1) })
  const palette = paletteOf(pixels)
  if (palette)
    return fileOf(pixels, { colourType: PALETTE, rows: indexed(pixels, palette), palette })
  return fileOf(pixels, { colourType: TRUECOLOUR, rows: filtered(pixels, 3) })
}

type Encoded = { colourType: number; rows: Uint8Array; palette?: Palette }

function fileOf({ width, height }: Pixels, { colourType, rows, palette }: Encoded): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colourType, 0, 0, 0], 8)
  const file = [
    SIGNATURE,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette.colours)] : []),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND'),
  ]
  return new Uint8Array(Buffer.concat(file))
}

function isGrey({ data }: Pixels): boolean {
  for (let at = 0; at < data.length; at += 4)
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** Most of a page repeats the line before. */
function filtered({ width, height, data }: Pixels, channels: number): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * channels))
  let to = 0
  for (let y = 0; y < height; y += 1) {
    rows[to++] = FILTER_UP
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4
      const above = from - width * 4
      for (let channel = 0; channel < channels; channel += 1)
        rows[to++] = data[from + channel]! - (y === 0 ? 0 : data[above + channel]!)
    }
  }
  return rows
}

/** Neighbours in a palette are not alike: differences would not be small. */
function indexed({ width, height, data }: Pixels, { indexOf }: Palette): Uint8Array {
  const rows = new Uint8Array(height * (1 + width))
  let to = 0
  for (let y = 0; y < height; y += 1) {
    rows[to++] = FILTER_NONE
    for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4) rows[to++] = indexOf(data, at)
  }
  return rows
}

function chunk(type: string, body: Uint8Array = new Uint8Array()): Buffer {
  const whole = Buffer.alloc(body.length + 12)
  whole.writeUInt32BE(body.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(body, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, body.length + 8)), body.length + 8)
  return whole
}
