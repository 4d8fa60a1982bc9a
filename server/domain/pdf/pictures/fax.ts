import { HORIZONTAL, LONGEST_PART, MOST_VERTICAL, PART, PASS, RUNS, VERTICAL } from './fax-codes.ts'

/*
 * Black and white pictures that are coded for faxes in Group 4, as scanners write them. The standard leaves the encoder no
 * choice: what it would not have written is not read, because decoders could differ about it.
 *
 * See ITU-T T.6, 2.2.
 */

/**
 * @returns rows of whole bytes in which white is 1; undefined for data that is broken or coded in another way
 * @see ISO 32000-2:2020, 7.4.6
 */
export function decodeFax(data: Uint8Array, width: number, height: number): Uint8Array | undefined {
  const stride = Math.ceil(width / 8)
  const rows = new Uint8Array(stride * height).fill(0xff)
  const bits = new Bits(data)
  let above: readonly number[] = []
  for (let row = 0; row < height; row++) {
    const changes = changesOf(bits, above, width)
    if (!changes) return undefined
    for (let at = 0; at < changes.length; at += 2)
      blacken(rows, row * stride, changes[at]!, changes[at + 1] ?? width)
    above = changes
  }
  return rows
}

function blacken(rows: Uint8Array, start: number, from: number, to: number): void {
  for (let at = from; at < to; at++) rows[start + (at >> 3)]! &= ~(0x80 >> (at & 7))
}

/**
 * Where the pixels of a row change: first to black, then to white, and so on.
 *
 * @param above the changes of the row above
 */
function changesOf(
  bits: Bits,
  above: readonly number[],
  width: number,
): readonly number[] | undefined {
  const changes: number[] = []
  /** The last change; -1 before the first pixel. */
  let last = -1
  let index = 0
  while (last < width) {
    const isBlack = changes.length % 2 === 1
    index = nextAbove(above, { index, last, isBlack })
    const over = above[index] ?? width
    const behind = above[index + 1] ?? width
    const mode = bits.read(MODES)
    if (mode === PASS) {
      if (behind >= width) return undefined
      last = behind
      continue
    }
    const isRuns = mode === HORIZONTAL
    if (typeof mode !== 'number' && !isRuns) return undefined
    const next = isRuns ? Math.max(last, 0) + bits.run(isBlack) : over + mode
    if (!(next > last && next <= Math.min(width, behind))) return undefined
    if (isRuns && isNear(next, over)) return undefined
    if (next < width) changes.push(next)
    last = next
    if (!isRuns) continue
    const end = next + bits.run(!isBlack)
    if (!(end <= width && (end > next || next === width))) return undefined
    if (end < width) changes.push(end)
    last = end
  }
  return changes
}

const isNear = (next: number, over: number) => Math.abs(next - over) <= MOST_VERTICAL

type Place = { readonly index: number; readonly last: number; readonly isBlack: boolean }

/** Of the row above, the first change behind the last one of this row, to the other colour. */
function nextAbove(above: readonly number[], { index, last, isBlack }: Place): number {
  let at = index
  while (at > 0 && above[at - 1]! > last) at--
  while (at < above.length && above[at]! <= last) at++
  return at % 2 === (isBlack ? 1 : 0) ? at : at + 1
}

/** What the next bit leads to. */
type Tree<T> = { 0?: Tree<T>; 1?: Tree<T>; value?: T }

function treeOf<T>(codes: Iterable<readonly [T, string]>): Tree<T> {
  const root: Tree<T> = {}
  for (const [value, code] of codes) {
    let node = root
    for (const bit of code) node = node[bit === '1' ? 1 : 0] ??= {}
    node.value = value
  }
  return root
}

const MODES = treeOf<number | string>([...VERTICAL, [PASS, PASS], [HORIZONTAL, HORIZONTAL]])
const WHITE_RUNS = treeOf(RUNS.white)
const BLACK_RUNS = treeOf(RUNS.black)

class Bits {
  readonly #data: Uint8Array
  /** In bits. */
  #at = 0

  constructor(data: Uint8Array) {
    this.#data = data
  }

  /** What the next code means; undefined for none. */
  read<T>(tree: Tree<T>): T | undefined {
    let node: Tree<T> | undefined = tree
    while (node && node.value === undefined) {
      const byte = this.#data[this.#at >> 3]
      if (byte === undefined) return undefined
      node = node[((byte >> (7 - (this.#at & 7))) & 1) as 0 | 1]
      this.#at++
    }
    return node?.value
  }

  /** The length of a run in pixels; NaN for none. */
  run(isBlack: boolean): number {
    const tree = isBlack ? BLACK_RUNS : WHITE_RUNS
    let length = 0
    let part = this.read(tree)
    // Only the longest part is written twice.
    for (let before = LONGEST_PART; part !== undefined && part >= PART; part = this.read(tree)) {
      if (before !== LONGEST_PART) return Number.NaN
      length += part
      before = part
    }
    return length + (part ?? Number.NaN)
  }
}
