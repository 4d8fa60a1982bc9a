/*
 * The coefficients of a JPEG picture, as a scan codes them.
 *
 * See ITU-T T.81, F.2 and G.2.
 */

export type Component = {
  readonly id: number
  readonly across: number
  readonly down: number
  readonly table: number
  /** In samples. */
  readonly width: number
  readonly height: number
  /** In blocks, with those that fill up the last unit. */
  readonly columns: number
  readonly rows: number
  /** In blocks: what a scan of this component alone has. */
  readonly ownColumns: number
  readonly ownRows: number
  /** 64 for each block, in the order of the zigzag. */
  readonly coefficients: Int16Array
  previous: number
  isScanned: boolean
}

export type Frame = {
  readonly isProgressive: boolean
  readonly components: readonly Component[]
  readonly unitsAcross: number
  readonly unitsDown: number
}

/** By length and code. */
export type Huffman = {
  readonly first: Int32Array
  readonly last: Int32Array
  readonly offset: Int32Array
  readonly values: Uint8Array
}

export type Scan = {
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

/** What is no such picture, or is broken: readers do not agree about what it shows. */
export class Unreadable extends Error {}

/** Reads the coefficients of a scan into its components. @throws {Unreadable} */
export function readUnits(frame: Frame, scan: Scan, bits: Bits, restart: number): void {
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
      bits.restart(unit / restart - 1)
      reader.restart()
      for (const { component } of parts) component.previous = 0
    }
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
export class Bits {
  readonly #data: Uint8Array
  at: number
  #buffer = 0
  #left = 0

  constructor(data: Uint8Array, at: number) {
    this.#data = data
    this.at = at
  }

  bit(): number {
    if (this.#left === 0) {
      const byte = this.#data[this.at]
      const next = this.#data[this.at + 1]
      // A marker ends the data.
      if (byte === undefined || (byte === 0xff && next !== 0)) throw new Unreadable()
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
    throw new Unreadable()
  }

  /** @param count of the markers before, which have numbers up to 7 in turn */
  restart(count: number): void {
    this.#left = 0
    const isMarker = this.#data[this.at] === 0xff && this.#data[this.at + 1] === 0xd0 + (count & 7)
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
    const values = component.coefficients.subarray(64 * block, 64 * block + 64)
    if (from === 0) {
      if (high > 0) values[0]! |= bits.bit() << low
      else {
        const size = bits.symbol(dc)
        if (size > 15) throw new Unreadable()
        component.previous += bits.extended(size)
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
      }
    if (this.#emptyBlocks === 0) return
    for (; at <= to; at++) if (values[at] !== 0) refined(at)
    this.#emptyBlocks--
  }
}
