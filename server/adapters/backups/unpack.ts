import { type BackupHeader, readBackupHeader } from '#server/domain/backups/backup-header.ts'
import { HEADER_NAME, placeOfEntry } from '#server/domain/backups/entry-name.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ArchiveEntry } from '#server/ports/archive-entry.ts'
import { decrypted } from './age-pieces.ts'
import { manifestIn } from './held-before.ts'
import type { Staging } from './staging.ts'
import { BadArchiveError, entriesIn } from './tar.ts'

/** Of a header or a key, which are read into memory. */
const MOST_SMALL_BYTES = 65_536

/** Entries that were unpacked, with their digests, in some 100 bytes of memory each. */
export type Unpacked = {
  add(name: string, bytes: number, sha256: Sha256): void
  has(name: string, bytes: number, sha256: Sha256): boolean
}

export function createUnpacked(): Unpacked {
  const known = new Set<string>()
  const keyOf = (name: string, bytes: number, sha256: Sha256) =>
    `${Buffer.from(sha256, 'hex').toString('latin1')}${bytes} ${name}`
  return {
    add: (name, bytes, sha256) => void known.add(keyOf(name, bytes, sha256)),
    has: (name, bytes, sha256) => known.has(keyOf(name, bytes, sha256)),
  }
}

/**
 * Which backup a file is. Reads its beginning only: that the file is whole shows when it is unpacked.
 *
 * @throws {BadArchiveError}, and what `decrypted` throws
 */
export async function headerOf(
  file: string,
  identities: readonly Uint8Array[],
): Promise<BackupHeader> {
  for await (const entry of entriesIn(decrypted(file, identities))) return await headerIn(entry)
  throw new BadArchiveError('an archive without entries')
}

/**
 * Unpacks a backup, to its last byte, and compares it with its manifest.
 *
 * @param header that it must have
 * @param turn counts the backups
 * @throws {BadArchiveError}, {BadManifestError}, and what `decrypted` throws
 */
export async function unpack(
  { file, header, turn }: { file: string; header: BackupHeader; turn: number },
  identities: readonly Uint8Array[],
  staging: Staging,
  unpacked: Unpacked,
): Promise<void> {
  let [entries, position, isAtEnd] = [0, 0, false]
  for await (const entry of entriesIn(decrypted(file, identities))) {
    const place = placeOfEntry(entry.name)
    if (!place || isAtEnd) throw new BadArchiveError(`an entry ${JSON.stringify(entry.name)}`)
    if ((place.kind === 'header') !== (position++ === 0)) throw new BadArchiveError('its header')
    if (place.kind === 'header') {
      if ((await headerIn(entry)).id !== header.id) throw new BadArchiveError('another backup')
      continue
    }
    if (place.kind === 'secret') mustBeSmall(entry)
    const sha256 = await staging.write(entry, staging.pathOf(place, turn))
    isAtEnd = place.kind === 'manifest'
    if (isAtEnd) continue
    unpacked.add(entry.name, entry.bytes, sha256)
    entries += 1
  }
  if (!isAtEnd) throw new BadArchiveError('an archive without its manifest')
  await mustMatch(staging.pathOf({ kind: 'manifest' }, turn), header, entries, unpacked)
}

async function mustMatch(
  manifest: string,
  header: BackupHeader,
  entries: number,
  unpacked: Unpacked,
): Promise<void> {
  let own = 0
  let isOfHeader = false
  for await (const line of manifestIn(manifest)) {
    if (line.kind === 'header') isOfHeader = line.header.id === header.id
    if (line.kind !== 'held') continue
    // Also what an earlier backup has: that one was unpacked before.
    if (!unpacked.has(line.name, line.bytes, line.sha256))
      throw new BadArchiveError(`${line.name} is not as the manifest says`)
    if (line.in === 'this') own += 1
  }
  if (!isOfHeader) throw new BadArchiveError('the manifest of another backup')
  if (own !== entries) throw new BadArchiveError('entries that the manifest does not name')
}

async function headerIn(entry: ArchiveEntry): Promise<BackupHeader> {
  mustBeSmall(entry)
  const pieces: Uint8Array[] = []
  for await (const piece of entry.pieces) pieces.push(piece)
  const header = entry.name === HEADER_NAME ? readBackupHeader(Buffer.concat(pieces)) : undefined
  if (!header) throw new BadArchiveError('no backup of this format')
  return header
}

function mustBeSmall({ name, bytes }: ArchiveEntry): void {
  if (bytes > MOST_SMALL_BYTES) throw new BadArchiveError(`${name} has ${bytes} bytes`)
}
