import { inverseCosines } from './inverse-cosines.ts'
import {
  Bits,
  type Component,
  type Frame,
  type Huffman,
  readUnits,
  type Scan,
  Unreadable,
} from './jpeg-scan.ts'
import { MOST_SAMPLES, type Picture, type Plane } from './picture.ts'

/*
 * The components of a JPEG picture: baseline and progressive, Huffman coded, of 8 bits. They are not made to colours: what
 * differs in a colour differs in a component, whatever the file says about them. What decoders mend, each in its own way,
 * is not read.
 *
 * See ITU-T T.81.
 */

/** Ten are usual. */
const MOST_SCANS = 64

/**
 * @param spend is told what each scan costs, in blocks
 * @returns undefined for a picture that is broken or coded in another way
 */
export function decodeJpeg(
  data: Uint8Array,
  spend: (blocks: number) => void = () => {},
): Picture | undefined {
  try {
    return new Decoder(data, spend).decode()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Decoder {
  readonly #data: Uint8Array
  readonly #spend: (blocks: number) => void
  #at = 0
  #frame: Frame | undefined
  #restart = 0
  #scans = 0
  readonly #quantizers = new Map<number, Uint16Array>()
  readonly #huffmans = new Map<number, Huffman>()

  constructor(data: Uint8Array, spend: (blocks: number) => void) {
    this.#data = data
    this.#spend = spend
  }

  decode(): Picture {
    if (this.#word() !== 0xffd8) throw new Unreadable()
    for (let marker = this.#marker(); marker !== 0xd9; marker = this.#marker()) {
      const end = this.#at + this.#word()
      if (marker === 0xda) {
        this.#readScan(end)
        continue
      }
      const isProse = (marker & 0xf0) === 0xe0 || marker === 0xfe
      if (isProse) this.#at = end
      else this.#readSegment(marker, end)
      if (this.#at !== end) throw new Unreadable()
    }
    const { components } = this.#frame ?? {}
    if (!components?.every(({ isScanned }) => isScanned)) throw new Unreadable()
    return components.map((component) => this.#planeOf(component))
  }

  #readSegment(marker: number, end: number): void {
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) this.#readFrame(marker === 0xc2)
    else if (marker === 0xc4) this.#readHuffmans(end)
    else if (marker === 0xdb) this.#readQuantizers(end)
    else if (marker === 0xdd) this.#restart = this.#word()
    else throw new Unreadable()
  }

  #byte(): number {
    const byte = this.#data[this.#at++]
    if (byte === undefined) throw new Unreadable()
    return byte
  }

  #word = () => (this.#byte() << 8) | this.#byte()

  /** The next one; the end of the picture where the data ends. What a scan left is read past. */
  #marker(): number {
    while (this.#at < this.#data.length) {
      if (this.#data[this.#at++] !== 0xff) {
        if (this.#scans === 0) throw new Unreadable()
        continue
      }
      while (this.#data[this.#at] === 0xff) this.#at++
      const marker = this.#data[this.#at++] ?? 0xd9
      if (marker !== 0 && !(marker >= 0xd0 && marker <= 0xd7)) return marker
    }
    return 0xd9
  }

  #readFrame(isProgressive: boolean): void {
    const [bits, height, width, count] = [this.#byte(), this.#word(), this.#word(), this.#byte()]
    const isUsual = bits === 8 && width * height > 0 && [1, 3, 4].includes(count)
    if (this.#frame || !isUsual) throw new Unreadable()
    const isAlone = count === 1
    const heads = Array.from({ length: count }, () => {
      const [id, sampling, table] = [this.#byte(), this.#byte(), this.#byte()]
      return { id, table, across: isAlone ? 1 : sampling >> 4, down: isAlone ? 1 : sampling & 15 }
    })
    const [mostAcross, mostDown] = [
      Math.max(...heads.map((one) => one.across)),
      Math.max(...heads.map((one) => one.down)),
    ]
    const isWhole = heads.every(
      ({ across, down }) => mostAcross % across === 0 && mostDown % down === 0,
    )
    const isDistinct = new Set(heads.map(({ id }) => id)).size === count
    if (!isWhole || !isDistinct || mostAcross > 4 || mostDown > 4) throw new Unreadable()
    const unitsAcross = Math.ceil(width / (8 * mostAcross))
    const unitsDown = Math.ceil(height / (8 * mostDown))
    const inUnit = heads.reduce((sum, { across, down }) => sum + across * down, 0)
    if (unitsAcross * unitsDown * inUnit * 64 > MOST_SAMPLES) throw new Unreadable()
    const components = heads.map((head): Component => {
      const [columns, rows] = [unitsAcross * head.across, unitsDown * head.down]
      const ownWidth = Math.ceil((width * head.across) / mostAcross)
      const ownHeight = Math.ceil((height * head.down) / mostDown)
      return {
        ...head,
        width: ownWidth,
        height: ownHeight,
        columns,
        rows,
        ownColumns: Math.ceil(ownWidth / 8),
        ownRows: Math.ceil(ownHeight / 8),
        coefficients: new Int16Array(columns * rows * 64),
        previous: 0,
        isScanned: false,
      }
    })
    this.#frame = { isProgressive, components, unitsAcross, unitsDown }
  }

  #readQuantizers(end: number): void {
    // Some decoders take what stood before the scan, and some the last one.
    if (this.#scans > 0) throw new Unreadable()
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
        if (code + count > 2 << at) throw new Unreadable()
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

  #readScan(end: number): void {
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
    const { isProgressive } = frame
    const scan = isProgressive
      ? { parts, from, to, high: shifts >> 4, low: shifts & 15 }
      : { parts, from: 0, to: 63, high: 0, low: 0 }
    if (this.#at !== end || !isUsualScan(scan, isProgressive)) throw new Unreadable()
    this.#spend(parts.reduce((sum, { component: one }) => sum + one.columns * one.rows, 0))
    for (const { component } of parts) component.isScanned = true
    const bits = new Bits(this.#data, this.#at)
    readUnits(frame, scan, bits, this.#restart)
    this.#at = bits.at
  }

  #planeOf({ width, height, columns, rows, coefficients, table }: Component): Plane {
    const quantizer = this.#quantizers.get(table)
    if (!quantizer) throw new Unreadable()
    const samples = new Uint8Array(width * height)
    for (let block = 0; block < columns * rows; block++) {
      const [left, top] = [8 * (block % columns), 8 * Math.floor(block / columns)]
      if (left >= width || top >= height) continue
      const values = inverseCosines(coefficients.subarray(64 * block, 64 * block + 64), quantizer)
      if (!values) throw new Unreadable()
      for (let y = 0; y < 8 && top + y < height; y++)
        for (let x = 0; x < 8 && left + x < width; x++)
          samples[(top + y) * width + left + x] = values[8 * y + x]!
    }
    return { width, height, samples }
  }
}

/** Whether decoders agree about what a scan does. @see ITU-T T.81, B.2.3 and G.1.1.1 */
function isUsualScan({ parts, from, to, low }: Scan, isProgressive: boolean): boolean {
  const components = new Set(parts.map(({ component }) => component))
  if (components.size === 0 || components.size < parts.length) return false
  // Some decoders stop behind the first scan of all components.
  if (!isProgressive) return parts.every(({ component }) => !component.isScanned)
  return from === 0
    ? to === 0 && low <= 13
    : from <= to && to <= 63 && parts.length === 1 && low <= 13
}
