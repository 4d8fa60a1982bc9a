import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { days } from '#server/domain/time.ts'

const UNFINISHED = '.unfinished'

/**
 * The folder of the manifests, and the names of files in it that exist only while a backup is made.
 *
 * A process that was killed leaves them behind; a later one removes them after a day.
 */
export function openScratchFolder(folder: string): { unfinished(name: string): string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder).filter((one) => one.endsWith(UNFINISHED))) {
    const file = path.join(folder, name)
    const found = statSync(file, { throwIfNoEntry: false })
    // Another backup may be under way.
    if (found && Date.now() - found.mtimeMs > days(1)) rmSync(file, { force: true })
  }
  return { unfinished: (name) => path.join(folder, `${name}${UNFINISHED}`) }
}
