import { concatBytes } from '#server/domain/bytes.ts'
import type { Random } from './random.ts'

/** Mutates one input; pieces may be taken from `other`, an input of the same kind. */
export type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array

const MOST_COPIED = 4000

function stretch(bytes: Uint8Array, random: Random, most = MOST_COPIED) {
  const start = random.below(bytes.length)
  return { start, end: Math.min(bytes.length, start + 1 + random.below(most)) }
}

const replaced = (bytes: Uint8Array, start: number, end: number, piece: Uint8Array) =>
  concatBytes(bytes.subarray(0, start), piece, bytes.subarray(end))

const INTERESTING = [0x00, 0x01, 0x0a, 0x20, 0x28, 0x30, 0x3c, 0x3e, 0x7f, 0x80, 0x81, 0x84, 0xff]

/** Mutations of any bytes. */
export const BYTE_MUTATIONS: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const copy = bytes.slice()
    const at = random.below(copy.length)
    copy[at] = copy[at]! ^ (1 << random.below(8))
    return copy
  },
  function setByte(bytes, random) {
    const copy = bytes.slice()
    copy[random.below(copy.length)] = random.pick(INTERESTING)
    return copy
  },
  function scribble(bytes, random) {
    const copy = bytes.slice()
    const { start, end } = stretch(copy, random, 32)
    copy.set(random.bytes(end - start), start)
    return copy
  },
  function remove(bytes, random) {
    const { start, end } = stretch(bytes, random, random.pick([2, 40, MOST_COPIED]))
    return replaced(bytes, start, end, new Uint8Array())
  },
  function insert(bytes, random) {
    const at = random.below(bytes.length)
    return replaced(bytes, at, at, random.bytes(1 + random.below(16)))
  },
  function repeat(bytes, random) {
    const { start, end } = stretch(bytes, random)
    return replaced(bytes, end, end, bytes.subarray(start, end))
  },
  function move(bytes, random) {
    const { start, end } = stretch(bytes, random)
    const at = random.below(bytes.length)
    return replaced(bytes, at, at, bytes.subarray(start, end))
  },
  function cutOff(bytes, random) {
    return bytes.slice(0, random.below(bytes.length))
  },
  function cutHead(bytes, random) {
    return bytes.slice(random.below(Math.min(bytes.length, 400)))
  },
  function splice(bytes, random, other) {
    const { start, end } = stretch(other, random)
    const at = random.below(bytes.length)
    return replaced(bytes, at, at + random.pick([0, end - start]), other.subarray(start, end))
  },
]

/** One to four of the mutations, one after the other. */
export function mutated(
  bytes: Uint8Array,
  random: Random,
  other: Uint8Array,
  mutations: readonly Mutation[],
): Uint8Array {
  let result = bytes
  const times = random.pick([1, 1, 1, 2, 2, 3, 4])
  for (let time = 0; time < times && result.length > 0; time++)
    result = random.pick(mutations)(result, random, other)
  return result
}
