import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MEBIBYTE = 1024 * 1024
const SIZE = 400 * MEBIBYTE
const NAME = 'rubrica-campaign-'

/** A place for data folders that can be filled. */
export type Disk = {
  folder: string
  /** Whether it has a size of its own; without, nothing fills it. */
  isOwn: boolean
  /** Leaves so many bytes free. */
  fill(free: number): void
  empty(): void
  remove(): void
}

/** A file system in memory, where this process may mount one; otherwise a plain folder. */
export function ownDisk(): Disk {
  removeLeft()
  const folder = mkdtempSync(path.join(tmpdir(), `${NAME}${process.pid}-`))
  const disk = path.join(folder, 'disk')
  mkdirSync(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk])
  const isOwn = mounted.status === 0
  const filler = path.join(disk, 'filler')
  return {
    folder: disk,
    isOwn,
    fill(free) {
      const { bavail, bsize } = statfsSync(disk)
      const length = bavail * bsize - free
      if (isOwn && length > 0) writeAll(filler, new Uint8Array(length))
    },
    empty() {
      rmSync(filler, { force: true })
    },
    remove() {
      if (isOwn) unmount(disk)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server at work may have taken some of the room: then the disk is full to the last byte. */
function writeAll(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** At once, even if a server that was left behind still has files open there. */
const unmount = (folder: string) => spawnSync('umount', ['--lazy', folder])

/** A campaign that was killed itself has left its file system behind. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(NAME))) {
    const [pid = ''] = name.slice(NAME.length).split('-')
    if (!/^\d+$/.test(pid) || isRunning(Number(pid))) continue
    const folder = path.join(tmpdir(), name)
    unmount(path.join(folder, 'disk'))
    rmSync(folder, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
