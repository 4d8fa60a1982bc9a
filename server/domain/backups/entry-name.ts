/*
 * What a backup contains, by name. A name decides where a restore puts the entry, so that only these exist:
 *
 *   respaldo.json                        which backup it is; first
 *   checkpoints.jsonl                    the signed checkpoints of the first log
 *   checkpoints-ID.jsonl                 those of another log
 *   database/TABLE/000001.jsonl.gz       rows, one JSON object a line
 *   files/…                              the stored files, as they lie below their folder
 *   secrets/NAME.key                     the keys of the installation
 *   manifest.jsonl                       what there is, with its SHA-256; last
 */

export const HEADER_NAME = 'respaldo.json'
export const MANIFEST_NAME = 'manifest.jsonl'

/**
 * The name of the file of a log, in a backup and beside the database.
 *
 * @param log its id; null for the first log
 */
export const checkpointsName = (log: string | null) =>
  log === null ? 'checkpoints.jsonl' : `checkpoints-${log}.jsonl`

export const isCheckpointsName = (name: string) =>
  /^checkpoints(?:-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.jsonl$/.test(name)

export type EntryPlace =
  | { kind: 'header' | 'manifest' }
  | { kind: 'checkpoints'; file: string }
  | { kind: 'rows'; table: string; part: number }
  /** @property path below the folder of the stored files */
  | { kind: 'file'; path: string }
  | { kind: 'secret'; file: string }

const PLACES: Record<string, EntryPlace> = {
  [HEADER_NAME]: { kind: 'header' },
  [MANIFEST_NAME]: { kind: 'manifest' },
}

export const rowsName = (table: string, part: number) =>
  `database/${table}/${String(part).padStart(6, '0')}.jsonl.gz`
export const storedEntryName = (path: string) => `files/${path}`
export const secretName = (file: string) => `secrets/${file}`

/** The keys that an installation has. */
export const isSecretFile = (file: string) =>
  /^(?:master|log|sealing-[1-9]\d{0,8})\.key$/.test(file)

/** A name of the file system within one folder: no path leads out of it, and none is hidden. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const MOST_SEGMENTS = 6

/** Whether a path of a stored file stays below its folder, also on systems with other separators. */
export function isStoredPath(path: string): boolean {
  const segments = path.split('/')
  return segments.length <= MOST_SEGMENTS && segments.every((segment) => SEGMENT.test(segment))
}

/** @returns undefined for every other name: nothing is written anywhere for it */
export function placeOfEntry(name: string): EntryPlace | undefined {
  if (Object.hasOwn(PLACES, name)) return PLACES[name]
  if (isCheckpointsName(name)) return { kind: 'checkpoints', file: name }
  const rows = /^database\/([a-z][a-z0-9_]{0,62})\/(\d{6})\.jsonl\.gz$/.exec(name)
  if (rows) return { kind: 'rows', table: rows[1]!, part: Number(rows[2]) }
  const [, folder, rest = ''] = /^(files|secrets)\/(.+)$/.exec(name) ?? []
  if (folder === 'files' && isStoredPath(rest)) return { kind: 'file', path: rest }
  if (folder === 'secrets' && isSecretFile(rest)) return { kind: 'secret', file: rest }
  return undefined
}
