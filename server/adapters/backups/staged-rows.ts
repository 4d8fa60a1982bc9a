import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { placeOfEntry } from '#server/domain/backups/entry-name.ts'
import { type Row, rowInLine } from '#server/domain/backups/row-lines.ts'
import { manifestIn } from './held-before.ts'
import type { Staging } from './staging.ts'
import { BadArchiveError } from './tar.ts'

/** A part has a few megabytes, or one row. */
const MOST_BYTES = 256 << 20

export type StagedPart = { table: string; rows: Row[] }

/** The rows that the backup holds, in the parts in which they were written. @throws {BadArchiveError} */
export async function* stagedRows(staging: Staging, turn: number): AsyncGenerator<StagedPart> {
  for await (const line of manifestIn(staging.pathOf({ kind: 'manifest' }, turn))) {
    const place = line.kind === 'held' ? placeOfEntry(line.name) : undefined
    if (place?.kind !== 'rows') continue
    const compressed = await readFile(staging.pathOf(place, turn))
    yield { table: place.table, rows: rowsIn(compressed, place.table) }
  }
}

function rowsIn(compressed: Uint8Array, table: string): Row[] {
  try {
    const text = gunzipSync(compressed, { maxOutputLength: MOST_BYTES }).toString()
    return text.split('\n').flatMap((line) => (line === '' ? [] : [rowInLine(line)]))
  } catch (error) {
    throw new BadArchiveError(`rows of ${table}`, { cause: error })
  }
}
