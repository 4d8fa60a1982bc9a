/** Why bytes are not what they should be. */
export type DerErrorCode =
  | 'truncated'
  | 'trailing-bytes'
  | 'indefinite-length'
  | 'length-not-minimal'
  | 'unsupported-tag'
  | 'wrong-form'
  | 'too-deep'
  | 'too-many-nodes'
  | 'unexpected-structure'
  | 'bad-value'

/** The only error that leaves a reader of this room, whatever the bytes are. */
export class DerError extends Error {
  override readonly name = 'DerError'
  readonly code: DerErrorCode

  constructor(code: DerErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** One element as it stands in the file: nothing here is ever encoded again. */
export type DerNode = {
  /** The identifier octet: class, form and number, e.g. 0x30 for SEQUENCE. */
  readonly tag: number
  /** Identifier, length and content, as they came. */
  readonly bytes: Uint8Array
  /** The content alone; without the end-of-contents octets of an indefinite length. */
  readonly content: Uint8Array
  readonly hasIndefiniteLength: boolean
  /**
   * The elements inside, in order.
   *
   * @throws {DerError} if the element is primitive or its content is not a run of elements
   */
  children(): readonly DerNode[]
}

export type ReadLimits = {
  /** Most elements to look at, so that a small file cannot cost much. */
  maxNodes?: number
  maxDepth?: number
}

type Reading = {
  readonly data: Uint8Array
  readonly rules: 'DER' | 'BER'
  readonly maxDepth: number
  nodesLeft: number
}

const CONSTRUCTED = 0x20
/** EXTERNAL, EMBEDDED PDV, SEQUENCE, SET: the universal types that have no primitive form. */
const ALWAYS_CONSTRUCTED = new Set([8, 11, 16, 17])

/**
 * The one element that `data` consists of, read by the distinguished rules.
 *
 * @throws {DerError} for anything else, before much time is spent
 * @see X.690 (02/2021), clauses 8 and 10
 */
export function readDer(data: Uint8Array, limits: ReadLimits = {}): DerNode {
  return readWhole(data, 'DER', limits)
}

/**
 * The one element that `data` consists of; lengths may be indefinite or longer than needed and strings
 * may come in pieces, as signed data does in the wild.
 *
 * @throws {DerError} for anything else
 * @see X.690 (02/2021), clause 8
 */
export function readBer(data: Uint8Array, limits: ReadLimits = {}): DerNode {
  return readWhole(data, 'BER', limits)
}

/**
 * The element with which `data` begins, by the basic rules; whatever follows it is left alone.
 *
 * @throws {DerError} if `data` does not begin with an element
 */
export function readBerPrefix(data: Uint8Array, limits: ReadLimits = {}): DerNode {
  return readAt(begin(data, 'BER', limits), 0, data.length, 0)
}

function readWhole(data: Uint8Array, rules: Reading['rules'], limits: ReadLimits): DerNode {
  const node = readAt(begin(data, rules, limits), 0, data.length, 0)
  if (node.bytes.length !== data.length)
    throw new DerError('trailing-bytes', `${data.length - node.bytes.length} bytes follow`)
  return node
}

function begin(data: Uint8Array, rules: Reading['rules'], limits: ReadLimits): Reading {
  return { data, rules, nodesLeft: limits.maxNodes ?? 100_000, maxDepth: limits.maxDepth ?? 64 }
}

function readAt(reading: Reading, start: number, end: number, depth: number): DerNode {
  if (depth > reading.maxDepth) throw new DerError('too-deep', `more than ${depth - 1} levels`)
  if (reading.nodesLeft-- <= 0) throw new DerError('too-many-nodes', 'more elements than allowed')
  const tag = octet(reading, start, end)
  mustBeKnownForm(tag, reading.rules)
  const { length, contentStart } = readLength(reading, start + 1, end)
  if (length === undefined) return readIndefinite(reading, tag, start, contentStart, end, depth)
  const contentEnd = contentStart + length
  if (contentEnd > end) throw new DerError('truncated', `${contentEnd - end} bytes are missing`)
  let children: readonly DerNode[] | undefined
  return {
    tag,
    bytes: reading.data.subarray(start, contentEnd),
    content: reading.data.subarray(contentStart, contentEnd),
    hasIndefiniteLength: false,
    children() {
      mustBeConstructed(tag)
      children ??= readRun(reading, contentStart, contentEnd, depth + 1)
      return children
    },
  }
}

function readRun(reading: Reading, start: number, end: number, depth: number): DerNode[] {
  const nodes: DerNode[] = []
  for (let at = start; at < end; ) {
    const node = readAt(reading, at, end, depth)
    nodes.push(node)
    at += node.bytes.length
  }
  return nodes
}

/** Only its children say where it ends, so they are read at once. */
function readIndefinite(
  reading: Reading,
  tag: number,
  start: number,
  contentStart: number,
  end: number,
  depth: number,
): DerNode {
  if (!(tag & CONSTRUCTED)) throw new DerError('wrong-form', 'a primitive of indefinite length')
  const children: DerNode[] = []
  let at = contentStart
  while (octet(reading, at, end) !== 0) {
    const node = readAt(reading, at, end, depth + 1)
    children.push(node)
    at += node.bytes.length
  }
  if (octet(reading, at + 1, end) !== 0) throw new DerError('bad-value', 'end-of-contents')
  return {
    tag,
    bytes: reading.data.subarray(start, at + 2),
    content: reading.data.subarray(contentStart, at),
    hasIndefiniteLength: true,
    children: () => children,
  }
}

function readLength(reading: Reading, at: number, end: number) {
  const first = octet(reading, at, end)
  if (first < 0x80) return { length: first, contentStart: at + 1 }
  const isDer = reading.rules === 'DER'
  if (first === 0x80) {
    if (isDer) throw new DerError('indefinite-length', 'DER lengths are definite')
    return { length: undefined, contentStart: at + 1 }
  }
  const count = first & 0x7f
  let length = 0
  for (let index = 1; index <= count; index++) {
    length = length * 256 + octet(reading, at + index, end)
    if (length > reading.data.length) throw new DerError('truncated', 'longer than the file')
  }
  const isMinimal = length >= 0x80 && reading.data[at + 1] !== 0
  if (isDer && !isMinimal) throw new DerError('length-not-minimal', `${count} octets of length`)
  return { length, contentStart: at + 1 + count }
}

function octet(reading: Reading, at: number, end: number): number {
  const value = at < end ? reading.data[at] : undefined
  if (value === undefined) throw new DerError('truncated', `nothing at ${at}`)
  return value
}

function mustBeKnownForm(tag: number, rules: Reading['rules']) {
  const number = tag & 0x1f
  // No structure that we read has a tag number above 30.
  if (number === 0x1f || tag === 0)
    throw new DerError('unsupported-tag', `identifier ${tag.toString(16)}`)
  if (tag & 0xc0) return
  const isConstructed = (tag & CONSTRUCTED) !== 0
  const wrong = ALWAYS_CONSTRUCTED.has(number) ? !isConstructed : isConstructed && rules === 'DER'
  if (wrong) throw new DerError('wrong-form', `identifier ${tag.toString(16)}`)
}

function mustBeConstructed(tag: number) {
  if (!(tag & CONSTRUCTED)) throw new DerError('wrong-form', 'a primitive has no children')
}
