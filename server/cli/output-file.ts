import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '#server/adapters/key-files.ts'
import { isClosedToAccount } from '#server/domain/installation/closed-to-account.ts'
import { isOutOfSpace } from '#server/domain/installation/disk-floor.ts'
import { UsageError } from './usage.ts'

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Deletes a partial file if a signal ends the command.
 *
 * @returns a function to call once the file is complete
 */
export function removeWhenInterrupted(file: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true })
    stop()
    // Exit by the same signal, so that the caller can see it.
    process.kill(process.pid, signal)
  }
  const stop = () => {
    for (const signal of INTERRUPTIONS) process.off(signal, end)
  }
  for (const signal of INTERRUPTIONS) process.on(signal, end)
  return stop
}

/** @throws {UsageError} instead of system errors about the path: ENOENT, EISDIR, EACCES, ENOSPC … */
export async function orSayUnwritable<T>(output: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UsageError(`No se puede escribir ${output}${reasonOf(error)}.`, { cause: error })
  }
}

function reasonOf(error: Error): string {
  if (isOutOfSpace(error)) return ': no queda espacio en el disco'
  if (!isClosedToAccount(error)) return ''
  return `: la cuenta que ejecuta el comando no puede escribir en ${path.dirname(error.path)}`
}

/**
 * Writes the file atomically: readers see the old or the complete new one. Only the owner may read it.
 *
 * @param named the path as the user gave it
 * @throws {UsageError} when it cannot be written; errors of `pieces` are rethrown
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
    syncFolder(path.dirname(full))
  } finally {
    await rm(temporary, { force: true })
    stopWatching()
  }
}
