import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { UsageError } from './usage.ts'

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whoever ends the command halfway finds no part of a file. @returns what to call when there is none any more */
export function removeWhenInterrupted(file: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true })
    stop()
    // Ends as it would have without us: who called learns by which signal.
    process.kill(process.pid, signal)
  }
  const stop = () => {
    for (const signal of INTERRUPTIONS) process.off(signal, end)
  }
  for (const signal of INTERRUPTIONS) process.on(signal, end)
  return stop
}

/** @throws {UsageError} in place of what the system says about the place: ENOENT, EISDIR, EACCES, ENOSPC … */
export async function orSayUnwritable<T>(output: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UsageError(`No se puede escribir ${output}.`, { cause: error })
  }
}

/**
 * Whoever looks at `full` sees the old file or the whole new one; nobody but its owner may read it.
 *
 * @param named what the user calls it
 * @throws {UsageError} when it cannot be written; what `pieces` throws is thrown as it is
 */
export async function writeOutput(
  pieces: AsyncIterable<Uint8Array>,
  full: string,
  named: string,
): Promise<void> {
  const temporary = `${full}.${randomUUID()}.tmp`
  const stopWatching = removeWhenInterrupted(temporary)
  try {
    const file = await orSayUnwritable(named, () => open(temporary, 'wx', 0o600))
    try {
      for await (const piece of pieces) await orSayUnwritable(named, () => file.writeFile(piece))
      await orSayUnwritable(named, () => file.sync())
    } finally {
      await file.close()
    }
    await orSayUnwritable(named, () => rename(temporary, full))
  } finally {
    await rm(temporary, { force: true })
    stopWatching()
  }
}
