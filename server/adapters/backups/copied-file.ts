import { open, stat } from 'node:fs/promises'
import type { CopiedFile } from '#server/ports/backup-source.ts'

const PIECE = 1 << 18

/** The file as long as it is now: it may grow meanwhile. Undefined if it is not there. */
export async function copiedFile(file: string): Promise<CopiedFile | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  })
  return found?.isFile()
    ? { bytes: found.size, pieces: () => piecesOf(file, found.size) }
    : undefined
}

async function* piecesOf(file: string, bytes: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    for (let at = 0; at < bytes; ) {
      // New memory each time: who gets a piece may keep it.
      const memory = new Uint8Array(Math.min(PIECE, bytes - at))
      const { bytesRead } = await handle.read(memory, 0, memory.length, at)
      if (bytesRead === 0) throw new Error(`${file} has no ${bytes} bytes`)
      at += bytesRead
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
