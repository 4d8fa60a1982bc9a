import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'

const OF_OTHERS = 0o077

/** Other accounts can read the file or folder. */
export class OpenToOthersError extends Error {
  override readonly name = 'OpenToOthersError'
  readonly path: string
  constructor(path: string, options?: ErrorOptions) {
    super(`other accounts can read ${path}`, options)
    this.path = path
  }
}

/**
 * Makes the folder if it is missing, and takes it away from other accounts of the machine, with the files that lie
 * directly in it: mode 0700 and 0600. Deeper files are out of reach behind the folder.
 *
 * @throws {OpenToOthersError} if it belongs to another account, or the file system keeps no modes
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeToOthers(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) closeToOthers(path.join(folder, entry.name), 0o600)
}

function closeToOthers(name: string, mode: number): void {
  const isOpen = () => {
    const found = lstatSync(name, { throwIfNoEntry: false })
    return found && (found.mode & OF_OTHERS) !== 0
  }
  // Windows has no modes: its folders inherit the rights of the account.
  if (process.platform === 'win32') return
  // SQLite removes its `-wal` and `-shm` when the last process closes the database.
  if (!isOpen()) return
  try {
    chmodSync(name, mode)
  } catch (error) {
    if (isOpen()) throw new OpenToOthersError(name, { cause: error })
  }
  if (isOpen()) throw new OpenToOthersError(name)
}
