import { createHash } from 'node:crypto'
import type { BackupHeader } from '#server/domain/backups/backup-header.ts'
import { type ManifestLine, readManifestLine } from '#server/domain/backups/manifest.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { linesOf } from './line-file.ts'

/** The file is no manifest, or was cut. */
export class BadManifestError extends Error {
  override readonly name = 'BadManifestError'
}

/** The lines of a manifest. @throws {BadManifestError} at its end, too, if lines are missing */
export async function* manifestIn(file: string): AsyncGenerator<ManifestLine> {
  let entries = 0
  let isAtEnd = false
  for await (const text of linesOf(file)) {
    const line = readManifestLine(text)
    if (!line || isAtEnd) throw new BadManifestError(file)
    if (line.kind === 'held') entries += 1
    if (line.kind === 'end' && line.entries !== entries) throw new BadManifestError(file)
    isAtEnd = line.kind === 'end'
    yield line
  }
  if (!isAtEnd) throw new BadManifestError(file)
}

export type ManifestOfBefore = {
  header: BackupHeader
  /** The SHA-256 of the entry of this name and size; undefined if the backup has none. */
  holds(name: string, bytes: number): Sha256 | undefined
}

/**
 * What an earlier backup holds, with those that it stands on. Takes some 100 bytes of memory an entry.
 *
 * @throws {BadManifestError}
 */
export async function readHeldBefore(file: string): Promise<ManifestOfBefore> {
  const digests = new Map<string, string>()
  let header: BackupHeader | undefined
  for await (const line of manifestIn(file)) {
    if (line.kind === 'header') header = line.header
    if (line.kind === 'held')
      digests.set(keyOf(line.name, line.bytes), Buffer.from(line.sha256, 'hex').toString('latin1'))
  }
  if (!header) throw new BadManifestError(file)
  return {
    header,
    holds(name, bytes) {
      const digest = digests.get(keyOf(name, bytes))
      return digest === undefined
        ? undefined
        : Sha256.parse(Buffer.from(digest, 'latin1').toString('hex'))
    },
  }
}

/** Shorter than the name. */
const keyOf = (name: string, bytes: number) =>
  createHash('sha256').update(`${bytes} ${name}`).digest().toString('latin1')
