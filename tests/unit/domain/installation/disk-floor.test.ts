import { expect, test } from 'vitest'
import { type DiskUse, isBelowFloor } from '#server/domain/installation/disk-floor.ts'

const MEGABYTE = 1024 ** 2
const GIGABYTE = 1024 ** 3
const USES: readonly DiskUse[] = ['verification', 'upload', 'signature']

const refused = (free: number, total: number) =>
  USES.filter((use) => isBelowFloor({ free, total }, use))

test.each([
  ['a small disk', 100 * MEGABYTE, [10, 5, 1].map((share) => share * MEGABYTE)],
  ['a large disk', 1024 * GIGABYTE, [2, 1, 1 / 4].map((share) => share * GIGABYTE)],
])('%s: strangers are refused first, uploads next, signatures last', (_, total, floors) => {
  const [verification = 0, upload = 0, signature = 0] = floors
  expect(refused(verification, total)).toEqual([])
  expect(refused(verification - 1, total)).toEqual(['verification'])
  expect(refused(upload, total)).toEqual(['verification'])
  expect(refused(upload - 1, total)).toEqual(['verification', 'upload'])
  expect(refused(signature, total)).toEqual(['verification', 'upload'])
  expect(refused(signature - 1, total)).toEqual(['verification', 'upload', 'signature'])
})
