import { hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'

const MASTER_BYTES = 32

export type Secrets = { csrfKey: Uint8Array }

/**
 * The keys of this office, all derived from one master key that is made once and is in no database and
 * in no backup of it.
 *
 * @param folder kept to its owner (0700); the key file has mode 0600
 */
export function openSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const master = readOrMake(path.join(folder, 'master.key'))
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), `rubrica ${purpose} v1`, 32))
  return { csrfKey: derive('csrf') }
}

function readOrMake(file: string): Buffer {
  try {
    // Exclusive: of two processes that start at once one makes the key and the other reads it.
    const descriptor = openSync(file, 'wx', 0o600)
    const master = randomBytes(MASTER_BYTES)
    writeSync(descriptor, master)
    fsyncSync(descriptor)
    closeSync(descriptor)
    return master
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const master = readFileSync(file)
  if (master.length !== MASTER_BYTES) throw new Error(`${file} is not a master key`)
  return master
}
