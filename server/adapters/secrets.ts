import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

const MASTER_BYTES = 32

export type Secrets = { csrfKey: Uint8Array }

/**
 * The keys of this office, all derived from one master key that is made once and is in no database and
 * in no backup of it.
 *
 * @param folder kept to its owner (0700); the key file has mode 0600
 * @throws {Error} if the key file is not a whole master key: to make another would lose what this one keeps
 */
export function openSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const master = readOrMake(path.join(folder, 'master.key'))
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), `rubrica ${purpose} v1`, 32))
  return { csrfKey: derive('csrf') }
}

function readOrMake(file: string): Buffer {
  const master = tryToRead(file) ?? makeAndRead(file)
  if (master.length !== MASTER_BYTES) throw new Error(`${file} is not a master key`)
  return master
}

/** The key gets its name only when it is whole and on the disk; of two processes that start at once one names its own. */
function makeAndRead(file: string): Buffer {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    writeSync(descriptor, randomBytes(MASTER_BYTES))
    fsyncSync(descriptor)
    closeSync(descriptor)
    linkSync(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(path.dirname(file))
  return readFileSync(file)
}

function tryToRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open folders; NTFS keeps names in its journal.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined
