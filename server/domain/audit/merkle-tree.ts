import { createHash } from 'node:crypto'
import type { Span } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'

/** A Merkle tree reduced to what is needed to append leaves and to compute the root. */
export type CompactTree = {
  readonly size: number
  /** Roots of the full subtrees, largest first: one per 1 bit of `size`. */
  readonly peaks: readonly Sha256[]
}

export const EMPTY_TREE: CompactTree = { size: 0, peaks: [] }

/** Appends a leaf, or the root of a full subtree of `leaves` leaves. */
export function grow({ size, peaks }: CompactTree, root: Sha256, leaves = 1): CompactTree {
  if (size % leaves !== 0) throw new RangeError(`no full subtree of ${leaves} begins at ${size}`)
  const grown = [...peaks]
  let joined = root
  for (let pairs = size / leaves; pairs % 2 === 1; pairs = (pairs - 1) / 2)
    joined = nodeHash(grown.pop()!, joined)
  grown.push(joined)
  return { size: size + leaves, peaks: grown }
}

/** @see RFC 6962, section 2.1 */
export function rootOf({ peaks }: CompactTree): Sha256 {
  return peaks.length === 0 ? sha256('') : peaks.reduceRight((right, left) => nodeHash(left, right))
}

/** The hash of two children. The 1 prefix separates nodes from leaves. */
function nodeHash(left: Sha256, right: Sha256): Sha256 {
  return createHash('sha256').update(`01${left}${right}`, 'hex').digest('hex') as Sha256
}

/**
 * The spans whose roots prove that the leaf `index` is in a tree of `size` leaves, its sibling first.
 *
 * @throws {RangeError} if there is no such leaf
 * @see RFC 6962, section 2.1.1
 */
export function inclusionSpans(index: number, size: number): Span[] {
  if (!(0 <= index && index < size)) throw new RangeError(`no leaf ${index} of ${size}`)
  return pathTo(index, { start: 0, end: size })
}

function pathTo(index: number, { start, end }: Span): Span[] {
  if (end - start === 1) return []
  const middle = start + leftLeaves(end - start)
  return index < middle
    ? [...pathTo(index, { start, end: middle }), { start: middle, end }]
    : [...pathTo(index, { start: middle, end }), { start, end: middle }]
}

/**
 * The spans whose roots prove that the tree of `size` leaves extends the tree of its first `first` leaves.
 *
 * @throws {RangeError} unless 0 < `first` ≤ `size`
 * @see RFC 6962, section 2.1.2
 */
export function consistencySpans(first: number, size: number): Span[] {
  if (!(0 < first && first <= size)) throw new RangeError(`${first} leaves begin no ${size}`)
  return spansOf(first, { start: 0, end: size }, 'known')
}

/** @param root `known` if the verifier has the root of this span, because it is the whole first tree */
function spansOf(first: number, { start, end }: Span, root: 'known' | 'unknown'): Span[] {
  if (first === end) return root === 'known' ? [] : [{ start, end }]
  const middle = start + leftLeaves(end - start)
  return first <= middle
    ? [...spansOf(first, { start, end: middle }, root), { start: middle, end }]
    : [...spansOf(first, { start: middle, end }, 'unknown'), { start, end: middle }]
}

/** The number of leaves in the left half: the largest power of two smaller than `leaves`. */
function leftLeaves(leaves: number): number {
  let left = 1
  while (left * 2 < leaves) left *= 2
  return left
}

/** A signed claim about a tree. */
export type TreeHead = { readonly size: number; readonly root: Sha256 }

/**
 * Whether the leaf is at `index` of the tree.
 *
 * @param path the roots of `inclusionSpans`
 * @see RFC 9162, section 2.1.3.2
 */
export function isIncluded(
  { index, leaf }: { index: number; leaf: Sha256 },
  { size, root }: TreeHead,
  path: readonly Sha256[],
): boolean {
  if (!(0 <= index && index < size)) return false
  const climb = climbFrom(index, size - 1)
  let climbed = leaf
  for (const node of path) {
    const side = climb.next()
    if (side === undefined) return false
    climbed = side === 'left' ? nodeHash(node, climbed) : nodeHash(climbed, node)
  }
  return climb.isAtTop() && climbed === root
}

/**
 * Whether the tree `second` extends the tree `first`.
 *
 * @param path the roots of `consistencySpans`
 * @see RFC 9162, section 2.1.4.2
 */
export function isConsistent(first: TreeHead, second: TreeHead, path: readonly Sha256[]): boolean {
  if (!(0 < first.size && first.size <= second.size)) return false
  if (first.size === second.size) return path.length === 0 && first.root === second.root
  // A full first tree is a node of the second, so its root is not in the path.
  const [seed, ...rest] = isPowerOfTwo(first.size) ? [first.root, ...path] : path
  if (seed === undefined) return false
  const climb = climbFrom(...shifted(first.size - 1, second.size - 1))
  let [old, grown] = [seed, seed]
  for (const node of rest) {
    const side = climb.next()
    if (side === undefined) return false
    if (side === 'left') old = nodeHash(node, old)
    grown = side === 'left' ? nodeHash(node, grown) : nodeHash(grown, node)
  }
  return climb.isAtTop() && old === first.root && grown === second.root
}

/** The path from a node to the root: on which side its sibling is, level by level. */
function climbFrom(node: number, last: number) {
  let [at, end] = [node, last]
  const rise = () => {
    at = half(at)
    end = half(end)
  }
  return {
    isAtTop: () => end === 0,
    /** Undefined at the root. */
    next(): 'left' | 'right' | undefined {
      if (end === 0) return undefined
      const isRightOrLast = at % 2 === 1 || at === end
      // The last node of a level has no sibling until it is a right child.
      if (isRightOrLast) while (at % 2 === 0 && at !== 0) rise()
      rise()
      return isRightOrLast ? 'left' : 'right'
    },
  }
}

function shifted(node: number, last: number): [node: number, last: number] {
  return node % 2 === 1 ? shifted(half(node), half(last)) : [node, last]
}

const half = (value: number) => Math.floor(value / 2)

const isPowerOfTwo = (value: number): boolean =>
  value === 1 || (value % 2 === 0 && isPowerOfTwo(value / 2))
