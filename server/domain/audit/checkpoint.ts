import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { TreeHead } from './merkle-tree.ts'
import {
  fromBase64,
  type NoteKey,
  noteKey,
  openNote,
  signNote,
  type VerifierKey,
} from './signed-note.ts'

/** The claim that the log `origin` had `size` events with this root. */
export type Checkpoint = TreeHead & { readonly origin: string }

/**
 * The key of a log. The log is named after its key: the name stays when the office's address changes, and no
 * two logs share one.
 *
 * @param seed 32 random bytes
 */
export const logKey = (seed: Uint8Array): NoteKey =>
  noteKey(seed, (publicKey) => `rubrica/bitacora/${sha256(publicKey).slice(0, 16)}`)

/** @see https://c2sp.org/tlog-checkpoint */
export function signCheckpoint({ size, root }: TreeHead, key: NoteKey): string {
  const encoded = Buffer.from(root, 'hex').toString('base64')
  return signNote(`${key.verifier.name}\n${size}\n${encoded}\n`, key)
}

const BODY = /^(.+)\n(0|[1-9]\d{0,15})\n(\S{44})\n(?:.+\n)*$/u

/** The claim of a signed note; undefined if none of the keys signed it or it is not a checkpoint of theirs. */
export function openCheckpoint(note: string, keys: readonly VerifierKey[]): Checkpoint | undefined {
  const text = openNote(note, keys)
  const claimed = text === undefined ? undefined : readBody(text)
  return keys.some(({ name }) => name === claimed?.origin) ? claimed : undefined
}

/** The claim of a note, without checking its signatures; undefined if it is no checkpoint. */
export function readUnproven(note: string): Checkpoint | undefined {
  return readBody(note.slice(0, note.lastIndexOf('\n\n') + 1))
}

function readBody(text: string): Checkpoint | undefined {
  const [, origin = '', size, encoded = ''] = BODY.exec(text) ?? []
  const root = fromBase64(encoded)
  if (root?.length !== 32 || !Number.isSafeInteger(Number(size))) return undefined
  return { origin, size: Number(size), root: Sha256.parse(root.toString('hex')) }
}
