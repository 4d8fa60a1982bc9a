import { crc32, deflateSync } from 'node:zlib'

/** Opaque pixels, four bytes each: red, green, blue, and one that is not looked at. */
export type Pixels = { width: number; height: number; data: Uint8Array }

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const GREYSCALE = { colorType: 0, channels: 1 }
const TRUECOLOUR = { colorType: 2, channels: 3 }
/** Each byte as its difference from the one above: most of a page repeats the line before. */
const FILTER_UP = 2

/**
 * The pixels as a PNG file, in grey where no pixel has a colour.
 *
 * @see ISO/IEC 15948:2004 (PNG), clauses 7 to 11
 */
export function encodePng(pixels: Pixels): Uint8Array {
  const format = isGrey(pixels) ? GREYSCALE : TRUECOLOUR
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels.width, 0)
  header.writeUInt32BE(pixels.height, 4)
  header.set([8, format.colorType, 0, 0, 0], 8)
  const scanlines = deflateSync(filtered(pixels, format.channels), { level: 6 })
  const file = [SIGNATURE, chunk('IHDR', header), chunk('IDAT', scanlines), chunk('IEND')]
  return new Uint8Array(Buffer.concat(file))
}

function isGrey({ data }: Pixels): boolean {
  for (let at = 0; at < data.length; at += 4)
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

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

function chunk(type: string, body: Uint8Array = new Uint8Array()): Buffer {
  const whole = Buffer.alloc(body.length + 12)
  whole.writeUInt32BE(body.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(body, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, body.length + 8)), body.length + 8)
  return whole
}
