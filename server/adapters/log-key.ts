import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type LogKeys, logKeysOf } from '#server/domain/audit/log-keys.ts'
import { readKey, readOrMakeKey } from './key-files.ts'

const fileIn = (folder: string) => path.join(folder, 'log.key')

/**
 * The keys that sign the checkpoints of the logs, from one that is made once: a file of its own, because the first log is
 * called after it and what was signed with it must be provable for years.
 *
 * @param folder kept to its owner (0700); the key file has mode 0600
 * @throws {Error} if it is not a whole key: another would sign for another log
 */
export function openLogKeys(folder: string): LogKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return logKeysOf(readOrMakeKey(fileIn(folder)))
}

/** Undefined where none was ever made. */
export function findLogKeys(folder: string): LogKeys | undefined {
  const seed = readKey(fileIn(folder))
  return seed && logKeysOf(seed)
}
