import { expect, test } from 'vitest'
import { logKey, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import {
  formatInclusionProof,
  type InclusionProof,
  parseInclusionProofs,
  provenHead,
} from '#server/domain/audit/inclusion-proof.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { EMPTY_TREE, grow, inclusionSpans, rootOf } from '#server/domain/audit/merkle-tree.ts'

const key = logKey(new Uint8Array(32).fill(7))
const keys = [key.verifier]
const leaves = Array.from({ length: 5 }, (_, i) => leafHash(Uint8Array.of(i)))
const rootOver = (of: typeof leaves) =>
  rootOf(of.reduce((tree, leaf) => grow(tree, leaf), EMPTY_TREE))

const note = signCheckpoint({ size: 5, root: rootOver(leaves) }, key)
const proofs: InclusionProof[] = leaves.map((leaf, index) => ({
  index,
  leaf,
  path: inclusionSpans(index, 5).map(({ start, end }) => rootOver(leaves.slice(start, end))),
  note,
}))
const text = proofs.map(formatInclusionProof).join('')

test('proofs stand one after the other, and are read back', () => {
  expect(parseInclusionProofs(text)).toEqual(proofs)
  expect(text.split('\n').slice(0, 3)).toEqual([
    'c2sp.org/tlog-proof@v1',
    `extra ${Buffer.from(leaves[0]!, 'hex').toString('base64')}`,
    'index 0',
  ])
  for (const proof of proofs)
    expect(provenHead(proof, keys)).toMatchObject({ size: 5, root: rootOver(leaves) })
})

test('a proof without neighbours is one, too', () => {
  const only = signCheckpoint({ size: 1, root: leaves[0]! }, key)
  const proof = { index: 0, leaf: leaves[0]!, path: [], note: only }
  expect(parseInclusionProofs(formatInclusionProof(proof))).toEqual([proof])
  expect(provenHead(proof, keys)?.size).toBe(1)
})

test('inclusion proof: every change is rejected', () => {
  const bytes = new TextEncoder().encode(formatInclusionProof(proofs[3]!))
  const accepted = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = bytes.slice()
    changed[bit >> 3]! ^= 1 << (bit & 7)
    const read = parseInclusionProofs(new TextDecoder().decode(changed))
    return read?.every((proof) => provenHead(proof, keys) !== undefined) ? bit : undefined
  })
  expect(accepted.filter((bit) => bit !== undefined)).toEqual([])
})

test.each([
  ['nothing', ''],
  ['something in front', `x${text}`],
  ['no leaf', text.replace(/extra .*\n/, '')],
  ['a leaf that is too short', text.replace(/extra .*\n/, 'extra AAAA\n')],
  ['no place', text.replace('index 0\n', '')],
  ['a place with a zero in front', text.replace('index 1\n', 'index 01\n')],
  ['no checkpoint', text.slice(0, text.indexOf('\n\n') + 2)],
])('%s is no file of proofs', (_, file) => {
  expect(parseInclusionProofs(file)).toBeUndefined()
})

test('another key proves nothing', () => {
  expect(provenHead(proofs[0]!, [logKey(new Uint8Array(32).fill(8)).verifier])).toBeUndefined()
})
