import { expect, test } from 'vitest'
import {
  logKey,
  openCheckpoint,
  readUnproven,
  signCheckpoint,
} from '#server/domain/audit/checkpoint.ts'
import { EMPTY_TREE, rootOf } from '#server/domain/audit/merkle-tree.ts'
import { signNote } from '#server/domain/audit/signed-note.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'

const key = logKey(new Uint8Array(32).fill(7))
const keys = [key.verifier]
const origin = key.verifier.name
const root = sha256('root')
const ROOT64 = Buffer.from(root, 'hex').toString('base64')

test('checkpoint: is read as it was signed', () => {
  const note = signCheckpoint({ size: 20_852_163, root }, key)
  expect(note.split('\n').slice(0, 4)).toEqual([origin, '20852163', ROOT64, ''])
  expect(openCheckpoint(note, keys)).toEqual({ origin, size: 20_852_163, root })
  expect(openCheckpoint(signCheckpoint({ size: 0, root: rootOf(EMPTY_TREE) }, key), keys)).toEqual({
    origin,
    size: 0,
    root: rootOf(EMPTY_TREE),
  })
})

test('checkpoint: is opened with the key of its log among others', () => {
  const other = logKey(new Uint8Array(32).fill(8)).verifier
  const note = signCheckpoint({ size: 3, root }, key)
  expect(openCheckpoint(note, [other, ...keys])).toEqual({ origin, size: 3, root })
  expect(openCheckpoint(note, [other])).toBeUndefined()
})

test('a log is called after its key', () => {
  expect(origin).toMatch(/^rubrica\/bitacora\/[0-9a-f]{16}$/)
  expect(logKey(new Uint8Array(32).fill(8)).verifier.name).not.toBe(origin)
})

test('lines of later versions are passed over', () => {
  expect(openCheckpoint(signNote(`${origin}\n3\n${ROOT64}\nmore\n`, key), keys)?.size).toBe(3)
})

// The example of the standard; its key is not published.
test('checkpoint: is readable without its key', () => {
  const note =
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n'
  expect(readUnproven(note)).toEqual({
    origin: 'example.com/behind-the-sofa',
    size: 20_852_163,
    root: '0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62',
  })
  expect(openCheckpoint(note, keys)).toBeUndefined()
})

test.each([
  ['another log', `otra/bitacora\n3\n${ROOT64}\n`],
  ['a size with a zero in front', `${origin}\n03\n${ROOT64}\n`],
  ['a negative size', `${origin}\n-3\n${ROOT64}\n`],
  ['a size that no number holds', `${origin}\n9999999999999999\n${ROOT64}\n`],
  ['a short root', `${origin}\n3\n${Buffer.alloc(31).toString('base64')}\n`],
  ['a root that could be written otherwise', `${origin}\n3\n${ROOT64.slice(0, -2)}t=\n`],
  ['no root', `${origin}\n3\n`],
  ['an empty line in it', `${origin}\n3\n${ROOT64}\n\nmore\n`],
])('%s is signed and still no checkpoint', (_, text) => {
  expect(openCheckpoint(signNote(text, key), keys)).toBeUndefined()
})
