import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { isSecretFile } from '#server/domain/backups/entry-name.ts'

const KEY_BYTES = 32

/** The file is there and holds no whole key. */
export class BadKeyError extends Error {
  override readonly name = 'BadKeyError'
  readonly path: string
  constructor(path: string) {
    super(`${path} is not a key`)
    this.path = path
  }
}

/**
 * The key in `file`, which is made when it is not there (mode 0600).
 *
 * @throws {BadKeyError} if it is not a whole key: to make another would lose what this one keeps
 */
export function readOrMakeKey(file: string): Uint8Array {
  return readKey(file) ?? makeKey(file)
}

/** The key in `file`; undefined when it is not there. @throws {BadKeyError} if it is not a whole key */
export function readKey(file: string): Uint8Array | undefined {
  const key = tryToRead(file)
  if (key !== undefined && key.length !== KEY_BYTES) throw new BadKeyError(file)
  return key && new Uint8Array(key)
}

/** The keys of an installation in this folder, by the names of their files; makes none. @throws {BadKeyError} */
export function keysIn(folder: string): Map<string, Uint8Array> {
  const names = existsSync(folder) ? readdirSync(folder).filter(isSecretFile) : []
  const keys = names.map((name) => [name, readKey(path.join(folder, name))] as const)
  // One may be dropped meanwhile.
  return new Map(keys.filter((one): one is [string, Uint8Array] => one[1] !== undefined))
}

/**
 * Makes `file`; durable once it returns. It gets its name only when it is whole and on the disk; of two
 * processes that make it at once one names its own, and both get that.
 */
export function makeKey(file: string): Uint8Array {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    writeSync(descriptor, randomBytes(KEY_BYTES))
    fsyncSync(descriptor)
    closeSync(descriptor)
    linkSync(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(path.dirname(file))
  const key = readKey(file)
  if (!key) throw new Error(`${file} was made and is gone`)
  return key
}

/** Takes `file` away for good. Nothing happens when it is not there. */
export function dropKey(file: string): void {
  rmSync(file, { force: true })
  syncFolder(path.dirname(file))
}

function tryToRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Makes it durable that a file of the folder has its name, or has it no more. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders; NTFS keeps names in its journal.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined
