import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDisk } from '#server/adapters/disk.ts'
import { DISK_RESERVE } from '#server/domain/installation/disk-floor.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rubrica-disk-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('reserve: is laid aside once and given away once', async () => {
  const disk = openDisk(folder)
  expect(disk.spendReserve()).toBe(false)
  await disk.keepReserve()
  await disk.keepReserve()
  expect(readdirSync(folder)).toEqual(['reserve'])
  const { size, mode } = statSync(join(folder, 'reserve'))
  expect([size, mode & 0o077]).toEqual([DISK_RESERVE, 0])

  expect(disk.spendReserve()).toBe(true)
  expect(disk.spendReserve()).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})

test('space: the reserve is never counted as free, whether it is laid aside or not', async () => {
  const disk = openDisk(folder)
  const before = await disk.space()
  await disk.keepReserve()
  const { free, total } = await disk.space()
  expect(total).toBe(before.total)
  // Other programs write to this disk, too.
  expect(Math.abs(free - before.free)).toBeLessThan(before.total / 10)
  writeFileSync(join(folder, 'reserve'), '')
  expect(disk.spendReserve()).toBe(false)
})
