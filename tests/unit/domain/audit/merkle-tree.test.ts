import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import {
  type CompactTree,
  consistencySpans,
  EMPTY_TREE,
  grow,
  inclusionSpans,
  isConsistent,
  isIncluded,
  rootOf,
} from '#server/domain/audit/merkle-tree.ts'
import type { Span } from '#server/domain/bytes.ts'
import { Sha256 } from '#server/domain/ids.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** MTH, word for word: RFC 6962, section 2.1. */
function mth(entries: readonly Uint8Array[]): Buffer {
  const [first] = entries
  if (first === undefined) return digest(new Uint8Array(0))
  if (entries.length === 1) return digest(Buffer.concat([Uint8Array.of(0), first]))
  let k = 1
  while (k * 2 < entries.length) k *= 2
  return digest(Buffer.concat([Uint8Array.of(1), mth(entries.slice(0, k)), mth(entries.slice(k))]))
}

const rootOfAll = (entries: readonly Uint8Array[]) => Sha256.parse(mth(entries).toString('hex'))

const treeOf = (entries: readonly Uint8Array[]) =>
  entries.reduce<CompactTree>((tree, entry) => grow(tree, leafHash(entry)), EMPTY_TREE)

const MOST = 70
const entries = Array.from({ length: MOST }, (_, i) => new TextEncoder().encode(`event ${i}`))
const leaves = entries.map(leafHash)
const heads = Array.from({ length: MOST + 1 }, (_, size) => ({
  size,
  root: rootOfAll(entries.slice(0, size)),
}))

const headOf = (size: number) => heads[size]!
const rootsOf = (spans: readonly Span[], of = entries) =>
  spans.map(({ start, end }) => rootOfAll(of.slice(start, end)))

/** Every proof that differs from this one in one bit, or that is longer or shorter by one node. */
function* spoiled(path: readonly Sha256[]): Generator<Sha256[]> {
  for (const [index, node] of path.entries())
    for (let bit = 0; bit < 256; bit++) {
      const bytes = Buffer.from(node, 'hex')
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      yield path.with(index, Sha256.parse(bytes.toString('hex')))
    }
  yield [...path, headOf(1).root]
  if (path.length > 0) yield path.slice(0, -1)
  if (path.length > 1) yield path.slice(1)
}

// The tree of eight leaves of the reference implementation of certificate transparency.
describe('the known tree', () => {
  const known = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].concat(
    '606162636465666768696a6b6c6d6e6f',
  )
  const of = known.map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]

  test.each(roots.map((root, size) => [size, root]))(
    'has with %i leaves its root',
    (size, root) => {
      expect(rootOf(treeOf(of.slice(0, Number(size))))).toBe(root)
    },
  )

  test.each([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
    [
      1,
      5,
      [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('proves leaf %i of %i as the reference does', (index, size, path) => {
    const proof = rootsOf(inclusionSpans(index, size), of)
    expect(proof).toEqual(path)
    const head = { size, root: Sha256.parse(roots[size]) }
    expect(isIncluded({ index, leaf: leafHash(of[index]!) }, head, proof)).toBe(true)
  })

  test.each([
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('proves that %i leaves begin %i as the reference does', (first, size, path) => {
    const proof = rootsOf(consistencySpans(first, size), of)
    expect(proof).toEqual(path)
    const [old, grown] = [first, size].map((n) => ({ size: n, root: Sha256.parse(roots[n]) }))
    expect(isConsistent(old!, grown!, proof)).toBe(true)
  })
})

test('a tree that grows leaf by leaf has the root of all its leaves', () => {
  let tree = EMPTY_TREE
  for (const [size, { root }] of heads.entries()) {
    expect(tree.size).toBe(size)
    expect(rootOf(tree)).toBe(root)
    if (size < MOST) tree = grow(tree, leaves[size]!)
  }
})

test('a full subtree grows a tree as its leaves would', () => {
  const byLeaves = treeOf(entries.slice(0, 64))
  const subtree = rootOfAll(entries.slice(32, 48))
  let tree = treeOf(entries.slice(0, 32))
  tree = grow(tree, subtree, 16)
  tree = grow(tree, rootOfAll(entries.slice(48, 64)), 16)
  expect(tree).toEqual(byLeaves)
  expect(() => grow(treeOf(entries.slice(0, 3)), subtree, 16)).toThrow(RangeError)
})

describe.each(heads.map(({ size }) => size).slice(1))('in a tree of %i leaves', (size) => {
  test('each leaf is proven, at its place and in this tree alone', () => {
    for (const [index, leaf] of leaves.slice(0, size).entries()) {
      const path = rootsOf(inclusionSpans(index, size))
      expect(isIncluded({ index, leaf }, headOf(size), path)).toBe(true)
      const elsewhere = (index + 1) % size
      expect(isIncluded({ index: elsewhere, leaf }, headOf(size), path)).toBe(elsewhere === index)
      expect(isIncluded({ index, leaf: leaves[elsewhere]! }, headOf(size), path)).toBe(
        elsewhere === index,
      )
      expect(isIncluded({ index, leaf }, headOf(size - 1), path)).toBe(false)
    }
  })

  test('each earlier tree is proven, and no other', () => {
    for (const first of heads.slice(1, size + 1)) {
      const path = rootsOf(consistencySpans(first.size, size))
      expect(isConsistent(first, headOf(size), path)).toBe(true)
      const other = headOf((first.size % size) + 1)
      expect(isConsistent({ ...first, root: other.root }, headOf(size), path)).toBe(size === 1)
      expect(isConsistent({ ...first, size: other.size }, headOf(size), path)).toBe(size === 1)
    }
  })

  test('no bit of a proof can be changed', () => {
    // Of each size a few: a leaf of the left, one of the middle and the last.
    const chosen = [...new Set([0, size >> 1, size - 1])]
    const accepted = chosen.flatMap((index) => [
      ...spoiled(rootsOf(inclusionSpans(index, size))).filter((path) =>
        isIncluded({ index, leaf: leaves[index]! }, headOf(size), path),
      ),
      ...spoiled(rootsOf(consistencySpans(index + 1, size))).filter((path) =>
        isConsistent(headOf(index + 1), headOf(size), path),
      ),
    ])
    expect(accepted).toEqual([])
  })
})

test('Merkle tree: impossible sizes are neither proven nor accepted', () => {
  for (const index of [-1, 3]) expect(() => inclusionSpans(index, 3)).toThrow(RangeError)
  // An endless recursion is a RangeError, too.
  for (const first of [0, 4])
    expect(() => consistencySpans(first, 3)).toThrow(`${first} leaves begin no 3`)
  expect(isIncluded({ index: 3, leaf: leaves[3]! }, headOf(3), [])).toBe(false)
  expect(isConsistent(headOf(0), headOf(3), [])).toBe(false)
  expect(isConsistent(headOf(4), headOf(3), [])).toBe(false)
  expect(isConsistent(headOf(3), headOf(5), [])).toBe(false)
})

test('Merkle tree: a leaf outside of the tree is not in it, even if its hash is the root', () => {
  for (const index of [-1, 1, 2])
    expect(isIncluded({ index, leaf: leaves[0]! }, headOf(1), [])).toBe(false)
})

test('Merkle tree: a proof with more levels than the tree is refused, even if its hashes fit', () => {
  const { root } = headOf(2)
  expect(isIncluded({ index: 0, leaf: leaves[1]! }, { size: 1, root }, [leaves[0]!])).toBe(false)
})
