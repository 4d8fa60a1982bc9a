import { type Gray, MOST_PIXELS } from './gray.ts'
import { inverseCosines } from './inverse-cosines.ts'

/*
 * The brightness in a JPEG picture: baseline and progressive, Huffman coded, of 8 bits. The colours are read past.
 *
 * See ITU-T T.81.
 */

type Component = {
  readonly id: number
  readonly across: number
  readonly down: number
  readonly table: number
  /** In blocks, with those that fill up the last unit. */
  readonly columns: number
  readonly rows: number
  /** In blocks: what a scan of this component alone has. */
  readonly ownColumns: number
  readonly ownRows: number
  /** 64 for each block, in the order of the zigzag; of the brightness alone. */
  readonly coefficients: Int16Array | undefined
  previous: number
}

type Frame = {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  readonly components: readonly Component[]
  readonly unitsAcross: number
  readonly unitsDown: number
}

/** By length and code. */
type Huffman = {
  readonly first: Int32Array
  readonly last: Int32Array
  readonly offset: Int32Array
  readonly values: Uint8Array
}

type Scan = {
  readonly parts: readonly {
    component: Component
    dc: Huffman | undefined
    ac: Huffman | undefined
  }[]
  readonly from: number
  readonly to: number
  readonly high: number
  readonly low: number
}

/** Ten are usual. */
const MOST_SCANS = 64

/** What is no such picture, or is broken. */
class Unreadable extends Error {}

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

function readUnits(frame: Frame, scan: Scan, bits: Bits, restart: number): void {
  const { parts } = scan
  const [single] = parts
  const isAlone = parts.length === 1
  const units = isAlone
    ? single!.component.ownColumns * single!.component.ownRows
    : frame.unitsAcross * frame.unitsDown
  const reader = new BlockReader(scan, bits, frame.isProgressive)
  for (const { component } of parts) component.previous = 0
  for (let unit = 0; unit < units; unit++) {
    if (restart > 0 && unit > 0 && unit % restart === 0) {
      bits.restart()
      reader.restart()
      for (const { component } of parts) component.previous = 0
    }
    if (bits.isEnded) return
    if (isAlone) {
      const { columns, ownColumns } = single!.component
      reader.read(single!, Math.floor(unit / ownColumns) * columns + (unit % ownColumns))
      continue
    }
    const [x, y] = [unit % frame.unitsAcross, Math.floor(unit / frame.unitsAcross)]
    for (const part of parts) {
      const { across, down, columns } = part.component
      for (let row = 0; row < down; row++)
        for (let column = 0; column < across; column++)
          reader.read(part, (y * down + row) * columns + x * across + column)
    }
  }
}

/** The bits of a scan, without what keeps them apart from markers. */
class Bits {
  readonly #data: Uint8Array
  at: number
  #buffer = 0
  #left = 0
  /** A marker was met: what is missing reads as zeros. */
  isEnded = false

  constructor(data: Uint8Array, at: number) {
    this.#data = data
    this.at = at
  }

  bit(): number {
    if (this.#left === 0) {
      const byte = this.#data[this.at]
      const next = this.#data[this.at + 1]
      if (byte === undefined || (byte === 0xff && next !== 0)) {
        this.isEnded = true
        return 0
      }
      this.at += byte === 0xff ? 2 : 1
      this.#buffer = byte
      this.#left = 8
    }
    return (this.#buffer >> --this.#left) & 1
  }

  number(length: number): number {
    let value = 0
    for (let at = 0; at < length; at++) value = (value << 1) | this.bit()
    return value
  }

  /** @see ITU-T T.81, F.2.2.1 */
  extended(length: number): number {
    const value = this.number(length)
    return length > 0 && value < 1 << (length - 1) ? value - (1 << length) + 1 : value
  }

  symbol(table: Huffman | undefined): number {
    if (!table) throw new Unreadable()
    let code = 0
    for (let length = 1; length <= 16; length++) {
      code = (code << 1) | this.bit()
      if (code <= table.last[length]! && code >= table.first[length]!)
        return table.values[table.offset[length]! + code - table.first[length]!]!
    }
    if (this.isEnded) return 0
    throw new Unreadable()
  }

  restart(): void {
    this.#left = 0
    this.isEnded = false
    const isMarker = this.#data[this.at] === 0xff && (this.#data[this.at + 1]! & 0xf8) === 0xd0
    if (!isMarker) throw new Unreadable()
    this.at += 2
  }
}

type Part = Scan['parts'][number]

class BlockReader {
  readonly #scan: Scan
  readonly #bits: Bits
  readonly #isProgressive: boolean
  /** How many blocks more have no coefficients in this scan. */
  #emptyBlocks = 0

  constructor(scan: Scan, bits: Bits, isProgressive: boolean) {
    this.#scan = scan
    this.#bits = bits
    this.#isProgressive = isProgressive
  }

  restart(): void {
    this.#emptyBlocks = 0
  }

  read({ component, dc, ac }: Part, block: number): void {
    const { from, to, high, low } = this.#scan
    const bits = this.#bits
    const values =
      component.coefficients?.subarray(64 * block, 64 * block + 64) ?? new Int16Array(64)
    if (from === 0) {
      if (high > 0) values[0]! |= bits.bit() << low
      else {
        component.previous += bits.extended(bits.symbol(dc) & 15)
        values[0] = component.previous << low
      }
    }
    if (to === 0) return
    if (high > 0) this.#refine(values, ac)
    else this.#readFirst(values, ac, Math.max(1, from))
  }

  #readFirst(values: Int16Array, ac: Huffman | undefined, from: number): void {
    const { to, low } = this.#scan
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks--
      return
    }
    for (let at = from; at <= to; at++) {
      const symbol = this.#bits.symbol(ac)
      const [run, size] = [symbol >> 4, symbol & 15]
      if (size === 0) {
        if (run < 15) {
          this.#emptyBlocks = this.#isProgressive ? (1 << run) - 1 + this.#bits.number(run) : 0
          return
        }
        at += 15
        continue
      }
      at += run
      if (at > 63) throw new Unreadable()
      values[at] = this.#bits.extended(size) << low
    }
  }

  /** @see ITU-T T.81, G.1.2.3 */
  #refine(values: Int16Array, ac: Huffman | undefined): void {
    const { from, to, low } = this.#scan
    const bits = this.#bits
    const refined = (at: number) => {
      if (bits.bit() && (values[at]! & (1 << low)) === 0)
        values[at]! += values[at]! > 0 ? 1 << low : -(1 << low)
    }
    let at = from
    if (this.#emptyBlocks === 0)
      for (; at <= to; at++) {
        const symbol = bits.symbol(ac)
        let run = symbol >> 4
        const size = symbol & 15
        let value = 0
        if (size === 0 && run < 15) {
          this.#emptyBlocks = (1 << run) + bits.number(run)
          break
        }
        if (size > 0) value = bits.bit() ? 1 << low : -(1 << low)
        for (; at <= to; at++)
          if (values[at] !== 0) refined(at)
          else if (run-- === 0) {
            if (value !== 0) values[at] = value
            break
          }
        if (bits.isEnded) return
      }
    if (this.#emptyBlocks === 0) return
    for (; at <= to; at++) if (values[at] !== 0) refined(at)
    this.#emptyBlocks--
  }
}
