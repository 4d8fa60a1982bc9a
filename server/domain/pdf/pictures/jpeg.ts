import { type Gray, MOST_PIXELS } from './gray.ts'
import { inverseCosines } from './inverse-cosines.ts'
import {
  Bits,
  type Component,
  type Frame,
  type Huffman,
  readUnits,
  Unreadable,
} from './jpeg-scan.ts'

/*
 * The brightness in a JPEG picture: baseline and progressive, Huffman coded, of 8 bits. The colours are read past.
 *
 * See ITU-T T.81.
 */

/** Ten are usual. */
const MOST_SCANS = 64

/** @returns undefined for a picture that is broken, coded in another way, or not made of brightness and colours */
export function decodeJpeg(data: Uint8Array): Gray | undefined {
  try {
    return new Decoder(data).decode()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Decoder {
  readonly #data: Uint8Array
  #at = 0
  #frame: Frame | undefined
  #restart = 0
  #scans = 0
  #transform: number | undefined
  readonly #quantizers = new Map<number, Uint16Array>()
  readonly #huffmans = new Map<number, Huffman>()

  constructor(data: Uint8Array) {
    this.#data = data
  }

  decode(): Gray {
    if (this.#word() !== 0xffd8) throw new Unreadable()
    for (let marker = this.#marker(); marker !== 0xd9; marker = this.#marker()) {
      const end = this.#at + this.#peekWord()
      this.#at += 2
      if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) this.#readFrame(marker === 0xc2)
      else if (marker === 0xc4) this.#readHuffmans(end)
      else if (marker === 0xdb) this.#readQuantizers(end)
      else if (marker === 0xdd) this.#restart = this.#word()
      else if (marker === 0xee && end - this.#at >= 12) this.#transform = this.#data[this.#at + 11]
      else if (marker === 0xda) {
        this.#readScan()
        continue
      } else if (marker >= 0xc3 && marker <= 0xcf) throw new Unreadable()
      this.#at = end
    }
    return this.#brightness()
  }

  #byte(): number {
    const byte = this.#data[this.#at++]
    if (byte === undefined) throw new Unreadable()
    return byte
  }

  #word = () => (this.#byte() << 8) | this.#byte()

  #peekWord(): number {
    const word = this.#word()
    this.#at -= 2
    return word
  }

  /** The next one; the end of the picture where the data ends. */
  #marker(): number {
    while (this.#at < this.#data.length) {
      if (this.#data[this.#at++] !== 0xff) continue
      while (this.#data[this.#at] === 0xff) this.#at++
      const marker = this.#data[this.#at++] ?? 0xd9
      if (marker !== 0 && !(marker >= 0xd0 && marker <= 0xd7)) return marker
    }
    return 0xd9
  }

  #readFrame(isProgressive: boolean): void {
    const [bits, height, width, count] = [this.#byte(), this.#word(), this.#word(), this.#byte()]
    const isGray = count === 1
    if (this.#frame || bits !== 8 || !(width * height > 0) || !(isGray || count === 3))
      throw new Unreadable()
    if (width * height > MOST_PIXELS) throw new Unreadable()
    const heads = Array.from({ length: count }, () => {
      const [id, sampling, table] = [this.#byte(), this.#byte(), this.#byte()]
      return { id, table, across: isGray ? 1 : sampling >> 4, down: isGray ? 1 : sampling & 15 }
    })
    if (heads.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4))
      throw new Unreadable()
    const [mostAcross, mostDown] = [
      Math.max(...heads.map((one) => one.across)),
      Math.max(...heads.map((one) => one.down)),
    ]
    // Brightness that is coarser than the colours is unusual.
    if (heads[0]!.across !== mostAcross || heads[0]!.down !== mostDown) throw new Unreadable()
    const unitsAcross = Math.ceil(width / (8 * mostAcross))
    const unitsDown = Math.ceil(height / (8 * mostDown))
    const components = heads.map((head, at): Component => {
      const [columns, rows] = [unitsAcross * head.across, unitsDown * head.down]
      return {
        ...head,
        columns,
        rows,
        ownColumns: Math.ceil((width * head.across) / (8 * mostAcross)),
        ownRows: Math.ceil((height * head.down) / (8 * mostDown)),
        coefficients: at === 0 ? new Int16Array(columns * rows * 64) : undefined,
        previous: 0,
      }
    })
    this.#frame = { width, height, isProgressive, components, unitsAcross, unitsDown }
  }

  #readQuantizers(end: number): void {
    while (this.#at < end) {
      const head = this.#byte()
      const isWide = head >> 4 !== 0
      this.#quantizers.set(
        head & 15,
        Uint16Array.from({ length: 64 }, () => (isWide ? this.#word() : this.#byte())),
      )
    }
  }

  #readHuffmans(end: number): void {
    while (this.#at < end) {
      const name = this.#byte()
      const counts = Array.from({ length: 16 }, () => this.#byte())
      const [first, last, offset] = [
        new Int32Array(17),
        new Int32Array(17).fill(-1),
        new Int32Array(17),
      ]
      let [code, total] = [0, 0]
      for (const [at, count] of counts.entries()) {
        first[at + 1] = code
        last[at + 1] = code + count - 1
        offset[at + 1] = total
        total += count
        code = (code + count) << 1
      }
      this.#huffmans.set(name, {
        first,
        last,
        offset,
        values: Uint8Array.from({ length: total }, () => this.#byte()),
      })
    }
  }

  #readScan(): void {
    const frame = this.#frame
    if (!frame || this.#scans++ >= MOST_SCANS) throw new Unreadable()
    const parts = Array.from({ length: this.#byte() }, () => {
      const [id, tables] = [this.#byte(), this.#byte()]
      const component = frame.components.find((one) => one.id === id)
      if (!component) throw new Unreadable()
      return {
        component,
        dc: this.#huffmans.get(tables >> 4),
        ac: this.#huffmans.get(0x10 | (tables & 15)),
      }
    })
    const [from, to, shifts] = [this.#byte(), this.#byte(), this.#byte()]
    if (from > to || to > 63 || parts.length === 0) throw new Unreadable()
    const scan = frame.isProgressive
      ? { parts, from, to, high: shifts >> 4, low: shifts & 15 }
      : { parts, from: 0, to: 63, high: 0, low: 0 }
    const bits = new Bits(this.#data, this.#at)
    // The colours of a progressive picture have scans of their own.
    const isColour = parts.every(({ component }) => component.coefficients === undefined)
    if (!(isColour && frame.isProgressive)) readUnits(frame, scan, bits, this.#restart)
    this.#at = bits.at
  }

  #brightness(): Gray {
    const frame = this.#frame
    const [component] = frame?.components ?? []
    const quantizer = component && this.#quantizers.get(component.table)
    // Adobe writes red, green and blue as they are.
    const isColours = frame?.components.length === 3 && this.#transform === 0
    if (!frame || !component?.coefficients || !quantizer || isColours) throw new Unreadable()
    const { width, height } = frame
    const samples = new Uint8Array(width * height)
    for (let block = 0; block < component.columns * component.rows; block++) {
      const values = inverseCosines(
        component.coefficients.subarray(64 * block, 64 * block + 64),
        quantizer,
      )
      const [left, top] = [
        8 * (block % component.columns),
        8 * Math.floor(block / component.columns),
      ]
      for (let y = 0; y < 8 && top + y < height; y++)
        for (let x = 0; x < 8 && left + x < width; x++)
          samples[(top + y) * width + left + x] = values[8 * y + x]!
    }
    return { width, height, samples }
  }
}
