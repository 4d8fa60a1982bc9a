import { hkdfSync } from 'node:crypto'
import { logKey } from './checkpoint.ts'
import { FIRST_LOG, type Log } from './log.ts'
import type { NoteKey } from './signed-note.ts'

/** The key that signs the checkpoints of a log. */
export type LogKeys = (log: Pick<Log, 'number' | 'id'>) => NoteKey

const SEED_BYTES = 32

/**
 * The keys of the logs of an installation: the first log has the key of the file itself, as always; the others have keys that are
 * derived from it, so that there is one secret to keep.
 *
 * @param seed 32 random bytes
 * @see RFC 5869
 */
export function logKeysOf(seed: Uint8Array): LogKeys {
  const known = new Map<string, NoteKey>()
  return ({ number, id }) => {
    const key = known.get(id) ?? logKey(number === FIRST_LOG ? seed : derivedSeed(seed, id))
    known.set(id, key)
    return key
  }
}

const derivedSeed = (seed: Uint8Array, id: string) =>
  new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(), `rubrica/bitacora/${id}`, SEED_BYTES))
