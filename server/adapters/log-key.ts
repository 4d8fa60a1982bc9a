import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { logKey } from '#server/domain/audit/checkpoint.ts'
import type { NoteKey } from '#server/domain/audit/signed-note.ts'
import { readKey, readOrMakeKey } from './key-files.ts'

const fileIn = (folder: string) => path.join(folder, 'log.key')

/**
 * The key that signs the checkpoints of the log, which is made once: a file of its own, because the log is called
 * after it and what was signed with it must be provable for years.
 *
 * @param folder kept to its owner (0700); the key file has mode 0600
 * @throws {Error} if it is not a whole key: another would sign for another log
 */
export function openLogKey(folder: string): NoteKey {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return logKey(readOrMakeKey(fileIn(folder)))
}

/** Undefined where none was ever made. */
export function findLogKey(folder: string): NoteKey | undefined {
  const seed = readKey(fileIn(folder))
  return seed && logKey(seed)
}
