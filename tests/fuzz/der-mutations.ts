import { concatBytes } from '#server/domain/bytes.ts'
import { BYTE_MUTATIONS, type Mutation } from './mutations.ts'
import type { Random } from './random.ts'

/** A DER element: its tag and its content. */
type Element = { tag: number; content: Uint8Array | Element[] }

const CONSTRUCTED = 0x20

/** Undefined if the bytes are not a sequence of whole elements. */
function elementsOf(bytes: Uint8Array, depth = 0): Element[] | undefined {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!
    const first = bytes[at + 1]
    if (first === undefined || (tag & 0x1f) === 0x1f || first === 0x80) return undefined
    const count = first < 0x80 ? 0 : first & 0x7f
    if (count > 4) return undefined
    let length = first < 0x80 ? first : 0
    for (let index = 0; index < count; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0)
    const start = at + 2 + count
    if (start + length > bytes.length) return undefined
    const content = bytes.subarray(start, start + length)
    const isNested = tag & CONSTRUCTED || (tag === 0x04 && content[0] === 0x30)
    const children = isNested && depth < 40 ? elementsOf(content, depth + 1) : undefined
    elements.push({ tag, content: children ?? content })
    at = start + length
  }
  return elements
}

function encoded({ tag, content }: Element): Uint8Array {
  const body = content instanceof Uint8Array ? content : concatBytes(...content.map(encoded))
  return concatBytes(Uint8Array.of(tag), lengthOf(body.length), body)
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest & 255)
  return Uint8Array.of(0x80 | octets.length, ...octets)
}

/** All elements, with the list in which each stands. */
function placesIn(list: Element[], depth = 0): { list: Element[]; index: number; depth: number }[] {
  return list.flatMap((element, index) => [
    { list, index, depth },
    ...(element.content instanceof Uint8Array ? [] : placesIn(element.content, depth + 1)),
  ])
}

type Place = { list: Element[]; index: number; element: Element; random: Random; foreign: Element }

const TAGS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x17, 0x18, 0x30, 0x31, 0x80, 0xa0, 0xa1,
  0xa3, 0x00, 0x1f, 0xff,
]

/** Changes that keep all lengths consistent, so that the readers reach the content. */
const TREE_CHANGES: readonly ((place: Place) => void)[] = [
  ({ list, index }) => void list.splice(index, 1),
  ({ list, index, element }) => void list.splice(index, 0, element),
  ({ list, index, random }) => void list.splice(index, 1, list[random.below(list.length)]!),
  ({ list, index, foreign }) => void list.splice(index, 1, foreign),
  ({ list, index, foreign }) => void list.splice(index, 0, foreign),
  ({ element, random }) => {
    element.tag = random.pick(TAGS)
  },
  ({ element, random }) => {
    element.content = random.bytes(random.below(40))
  },
  ({ element }) => {
    element.content = new Uint8Array()
  },
  ({ element, random }) => {
    if (!(element.content instanceof Uint8Array) || element.content.length === 0) return
    element.content = element.content.slice()
    element.content[random.below(element.content.length)] = random.below(256)
  },
  ({ list }) => void list.reverse(),
  ({ list, index, element, random }) => {
    let nested = element
    for (let depth = random.pick([1, 50, 2000]); depth > 0; depth--)
      nested = { tag: 0x30, content: [nested] }
    list[index] = random.below(8) === 0 ? nested : element
  },
]

function changeTree(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const tree = elementsOf(bytes)
  if (!tree) return bytes
  const foreign = elementsOf(other) ?? tree
  const place = random.pick(placesIn(tree))
  const elsewhere = random.pick(placesIn(foreign))
  random.pick(TREE_CHANGES)({
    ...place,
    element: place.list[place.index]!,
    random,
    foreign: elsewhere.list[elsewhere.index]!,
  })
  return safely(() => concatBytes(...tree.map(encoded)), bytes)
}

/** Deep nesting is more than this writer can write, too. */
function safely(write: () => Uint8Array, otherwise: Uint8Array): Uint8Array {
  try {
    return write()
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}

/** Mutations of DER: of its bytes, and, twice as often, of its elements. */
export const DER_MUTATIONS: readonly Mutation[] = [
  ...BYTE_MUTATIONS,
  ...Array.from({ length: 2 * BYTE_MUTATIONS.length }, () => changeTree),
]
