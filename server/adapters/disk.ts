import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import {
  DISK_RESERVE,
  type DiskSpace,
  isBelowFloor,
} from '#server/domain/installation/disk-floor.ts'
import type { Disk } from '#server/ports/disk.ts'

const PIECE = 1024 ** 2

/** The disk of `folder`. The room that is kept aside is the file `reserve` in it; several processes share it. */
export function openDisk(folder: string): Disk {
  const reserve = path.join(folder, 'reserve')

  async function space(): Promise<DiskSpace> {
    const { bavail, blocks, bsize } = await statfs(folder)
    const missing = DISK_RESERVE - sizeOf(reserve)
    return { free: Math.max(0, bavail * bsize - missing), total: blocks * bsize }
  }

  return {
    space,
    async keepReserve() {
      if (sizeOf(reserve) > 0 || isBelowFloor(await space(), 'upload')) return
      await writeReserve(reserve)
    },
    spendReserve() {
      if (sizeOf(reserve) === 0) return false
      rmSync(reserve, { force: true })
      return true
    },
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Random bytes: a file system that compresses would keep no room for zeros. */
async function writeReserve(reserve: string): Promise<void> {
  const half = `${reserve}.${process.pid}`
  const file = await open(half, 'w', 0o600)
  try {
    for (let written = 0; written < DISK_RESERVE; written += PIECE)
      await file.writeFile(randomBytes(PIECE))
    await file.sync()
    await file.close()
    await rename(half, reserve)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(half, { force: true })
    throw error
  }
}
