import { DerError, type DerNode } from './der.ts'

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** @throws {DerError} if there is no element or it has another tag */
export function expectTag(node: DerNode | undefined, tag: number): DerNode {
  if (node?.tag !== tag)
    throw new DerError('unexpected-structure', `${hex(node?.tag)} where ${hex(tag)} belongs`)
  return node
}

/** The children of a SEQUENCE. @throws {DerError} for anything else */
export function sequenceOf(node: DerNode | undefined): readonly DerNode[] {
  return expectTag(node, TAG.sequence).children()
}

/** The children of a SET. @throws {DerError} for anything else */
export function setOf(node: DerNode | undefined): readonly DerNode[] {
  return expectTag(node, TAG.set).children()
}

/** The element inside an explicit tag. @throws {DerError} unless there is exactly one */
export function explicitContent(node: DerNode): DerNode {
  const [inner, ...more] = node.children()
  if (!inner || more.length > 0)
    throw new DerError('unexpected-structure', 'an explicit tag holds one element')
  return inner
}

export function booleanOf(node: DerNode | undefined): boolean {
  const { content } = expectTag(node, TAG.boolean)
  if (content.length !== 1) throw new DerError('bad-value', 'a boolean has one octet')
  return content[0] !== 0
}

/** The two's complement octets of an INTEGER, as they came. */
export function integerBytesOf(node: DerNode | undefined): Uint8Array {
  const { content } = expectTag(node, TAG.integer)
  if (content.length === 0) throw new DerError('bad-value', 'an empty integer')
  return content
}

/** An INTEGER that is not negative, without leading zeros: a modulus, for instance. */
export function unsignedBytesOf(node: DerNode | undefined): Uint8Array {
  const bytes = integerBytesOf(node)
  if ((bytes[0] ?? 0) & 0x80) throw new DerError('bad-value', 'a negative integer')
  return withoutLeadingZeros(bytes)
}

/** As a magnitude, whatever its sign bit says: some authorities forget the zero before an RSA modulus. */
export const magnitudeOf = (node: DerNode | undefined) => withoutLeadingZeros(integerBytesOf(node))

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((octet) => octet !== 0)
  return first < 0 ? bytes.subarray(0, 0) : bytes.subarray(first)
}

/** An INTEGER between 0 and 2^31 - 1. */
export function smallIntegerOf(node: DerNode | undefined): number {
  const bytes = unsignedBytesOf(node)
  const value = bytes.reduce((sum, octet) => sum * 256 + octet, 0)
  if (bytes.length > 4 || value > 0x7fff_ffff) throw new DerError('bad-value', 'a large integer')
  return value
}

/** The octets of an OCTET STRING, whether whole or in pieces. */
export function octetsOf(node: DerNode | undefined): Uint8Array {
  if (node?.tag !== 0x24) return expectTag(node, TAG.octetString).content
  const pieces = node.children().map(octetsOf)
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The octets of a BIT STRING whose bits fill them. */
export function bitStringOctetsOf(node: DerNode | undefined): Uint8Array {
  const { content } = expectTag(node, TAG.bitString)
  if (content[0] !== 0) throw new DerError('bad-value', 'a bit string with unused bits')
  return content.subarray(1)
}

/** Whether bit `index` of a named-bit BIT STRING is set, for each index asked. */
export function bitsOf(node: DerNode | undefined): (index: number) => boolean {
  const { content } = expectTag(node, TAG.bitString)
  if ((content[0] ?? 8) > 7) throw new DerError('bad-value', 'a bit string without unused count')
  return (index) => (((content[1 + (index >> 3)] ?? 0) >> (7 - (index & 7))) & 1) === 1
}

/** Dotted decimal, e.g. `2.5.4.3`. @see X.690, 8.19 */
export function oidOf(node: DerNode | undefined): string {
  const { content } = expectTag(node, TAG.oid)
  if (content.length === 0 || content.length > 64) throw new DerError('bad-value', 'identifier')
  if ((content[content.length - 1] ?? 0x80) & 0x80)
    throw new DerError('bad-value', 'an identifier that does not end')
  const arcs: bigint[] = []
  let arc = 0n
  for (const octet of content) {
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    if (octet & 0x80) continue
    arcs.push(arc)
    arc = 0n
  }
  const [head = 0n, ...rest] = arcs
  const root = head < 40n ? 0n : head < 80n ? 1n : 2n
  return [root, head - root * 40n, ...rest].join('.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of any string type, as the SAT writes it: T61String is Latin-1, and a PrintableString may hold
 * UTF-8 (certificates under AC6 do). Anything that is no string becomes hexadecimal.
 */
export function textOf(node: DerNode): string {
  const { tag, content } = node
  if (tag === TAG.t61String) return latin1(content)
  if (tag === TAG.bmpString) return codeUnits(content, 2)
  if (tag === TAG.universalString) return codeUnits(content, 4)
  if (!STRINGS.has(tag)) return hexOf(content)
  try {
    return utf8.decode(content)
  } catch {
    return latin1(content)
  }
}

const STRINGS = new Set<number>([
  TAG.utf8String,
  TAG.numericString,
  TAG.printableString,
  TAG.ia5String,
  TAG.visibleString,
])

/** ISO 8859-1. Not by TextDecoder, whose "latin1" is Windows-1252. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const octet of bytes) text += String.fromCharCode(octet)
  return text
}

function codeUnits(bytes: Uint8Array, width: 2 | 4): string {
  let text = ''
  for (let at = 0; at + width <= bytes.length; at += width) {
    const unit = bytes.subarray(at, at + width).reduce((sum, octet) => sum * 256 + octet, 0)
    text += unit > 0x10ffff ? '\ufffd' : String.fromCodePoint(unit)
  }
  return text
}

/** Lower-case hexadecimal, two digits an octet. */
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const octet of bytes) text += DIGITS[octet]
  return text
}

const DIGITS = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  // A loop is many times faster than a call for each octet, and certificates are long.
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

const hex = (tag: number | undefined) => (tag === undefined ? 'nothing' : `0x${tag.toString(16)}`)
