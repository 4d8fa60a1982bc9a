import { TAG } from './der-values.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/**
 * One element: identifier, the shortest length, content.
 *
 * @see X.690 (02/2021), 10.1
 */
export function element(tag: number, ...contents: readonly Uint8Array[]): Bytes {
  const length = contents.reduce((sum, part) => sum + part.length, 0)
  const header = [tag, ...lengthOctets(length)]
  const whole = new Uint8Array(header.length + length)
  whole.set(header)
  let at = header.length
  for (const part of contents) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

export const sequence = (...elements: readonly Uint8Array[]) => element(TAG.sequence, ...elements)

/** A SET OF: the elements in the order of their encodings. @see X.690, 11.6 */
export const setOfElements = (...elements: readonly Uint8Array[]) =>
  element(TAG.set, ...[...elements].sort(compareOctets))

function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** `[number]` around whole elements. */
export const explicit = (number: number, ...elements: readonly Uint8Array[]) =>
  element(0xa0 | number, ...elements)

/** `[number]` in place of the tag of a primitive type: `content` is without identifier and length. */
export const implicit = (number: number, content: Uint8Array) => element(0x80 | number, content)

/** The same element under another identifier octet; not one content octet changes. */
export function retagged(tag: number, encoded: Uint8Array): Bytes {
  const copy = new Uint8Array(encoded)
  copy[0] = tag
  return copy
}

export const boolean = (value: boolean) => element(TAG.boolean, Uint8Array.of(value ? 0xff : 0))

export const nullValue = () => element(TAG.null)

/** An INTEGER between 0 and 2^53 - 1. */
export function integer(value: number): Bytes {
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return unsignedInteger(Uint8Array.from(octets))
}

/** The INTEGER, never negative, whose big-endian octets are given. */
export function unsignedInteger(octets: Uint8Array): Bytes {
  const first = octets.findIndex((octet) => octet !== 0)
  const digits = first < 0 ? Uint8Array.of(0) : octets.subarray(first)
  const needsSign = ((digits[0] ?? 0) & 0x80) !== 0
  return needsSign ? element(TAG.integer, Uint8Array.of(0), digits) : element(TAG.integer, digits)
}

export const octetString = (octets: Uint8Array) => element(TAG.octetString, octets)

export const bitString = (octets: Uint8Array, unusedBits = 0) =>
  element(TAG.bitString, Uint8Array.of(unusedBits), octets)

/** @see X.690, 8.19 */
export function oid(dotted: string): Bytes {
  const [root = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  const octets = [root * 40n + second, ...rest].flatMap(base128)
  return element(TAG.oid, Uint8Array.from(octets))
}

function base128(arc: bigint): number[] {
  const digits = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) digits.unshift(Number(rest & 0x7fn) | 0x80)
  return digits
}

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

export const utf8String = (text: string) => element(TAG.utf8String, new TextEncoder().encode(text))
export const printableString = (text: string) => element(TAG.printableString, ascii(text))
export const ia5String = (text: string) => element(TAG.ia5String, ascii(text))
/** Latin-1 under the tag of T61String, as the SAT writes it. */
export const t61String = (text: string) => element(TAG.t61String, ascii(text))

/**
 * UTCTime until 2049, GeneralizedTime from 2050, in whole seconds of UTC.
 *
 * @param at milliseconds since 1970
 * @see RFC 5280, 4.1.2.5
 */
export function time(at: number): Bytes {
  const digits = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')
  const isUtcTime = digits >= '1950' && digits < '2050'
  return isUtcTime
    ? element(TAG.utcTime, ascii(digits.slice(2)))
    : element(TAG.generalizedTime, ascii(digits))
}

/** In whole seconds of UTC. */
export const generalizedTime = (at: number) =>
  element(TAG.generalizedTime, ascii(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')))
