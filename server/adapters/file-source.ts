import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { ByteSource } from '#server/domain/bytes.ts'
import { BecameShorter } from './became-shorter.ts'
import { recentChunks } from './recent-chunks.ts'

/** A file that is open for reading; must be closed. */
export type OpenFile = ByteSource & { close(): void }

const CHUNK = 64 << 10

/**
 * The file at `path`, open for reading anywhere. It keeps at most 4 MB of what was read last, because a
 * parser reads in many small steps near each other; longer stretches pass by without being kept.
 *
 * @throws {Error} with the code of the system (`ENOENT`, …) if the file cannot be opened, and for what is no file.
 *   Reading throws {BecameShorter}
 */
export function openFile(path: string): OpenFile {
  const descriptor = openSync(path, 'r')
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) {
    closeSync(descriptor)
    throw new Error(`${path} is no file that can be read anywhere`)
  }
  const length = stats.size
  const chunk = recentChunks((start) =>
    readExactly(descriptor, start, Math.min(start + CHUNK, length)),
  )
  return {
    length,
    read(start, end) {
      if (!(0 <= start && start <= end && end <= length))
        throw new RangeError(`${start}..${end} does not lie in a file of ${length} bytes`)
      if (start === end) return new Uint8Array()
      const first = start - (start % CHUNK)
      if (end <= first + CHUNK) return chunk(first).subarray(start - first, end - first)
      return readExactly(descriptor, start, end)
    },
    readInto: (target, start) => fillExactly(descriptor, target, start),
    close: () => closeSync(descriptor),
  }
}

/** Whether two paths lead to one file: through a link, or by a name in capitals where they do not count. */
export function isOneFile(path: string, other: string): boolean {
  const [one, another] = [path, other].map(statsOf)
  return one !== undefined && one.dev === another?.dev && one.ino === another.ino
}

/** Undefined for a missing or unreadable file: opening it reports the reason. */
function statsOf(path: string) {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

function readExactly(descriptor: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start)
  fillExactly(descriptor, bytes, start)
  return bytes
}

/**
 * Fills all of `bytes` with the file's bytes from `start` on; blocks meanwhile.
 *
 * @throws {BecameShorter} if the file ends before that
 */
export function fillExactly(descriptor: number, bytes: Uint8Array, start: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, start + done)
    if (count === 0) throw new BecameShorter(start + bytes.length)
    done += count
  }
}
