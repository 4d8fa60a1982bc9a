import { createHash, type Hash } from 'node:crypto'
import { listTables } from '#server/db/backups/table-rows.ts'
import { listStoredPaths } from '#server/db/documents/stored-paths.ts'
import { stepOf } from '#server/db/migrate.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  type BackupHeader,
  type BackupId,
  writeBackupHeader,
} from '#server/domain/backups/backup-header.ts'
import {
  HEADER_NAME,
  MANIFEST_NAME,
  rowsName,
  secretName,
  storedEntryName,
} from '#server/domain/backups/entry-name.ts'
import { type HeldEntry, writeManifestLine } from '#server/domain/backups/manifest.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ArchiveEntry } from '#server/ports/archive-entry.ts'
import type { BackupSource, CopiedFile, LineFile } from '#server/ports/backup-source.ts'
import type { System } from '#server/system.ts'
import { rowParts } from './row-parts.ts'

export type BackupOrder = {
  id: BackupId
  madeAt: Instant
  /** The backup whose entries need not be repeated; null for a whole one. */
  since: (NonNullable<BackupHeader['since']> & { holds: HeldBefore }) | null
  /** Empty; what the backup holds is written there. */
  manifest: LineFile
  /** Empty; the names of the stored files are kept there. */
  paths: LineFile
}

/** @returns the SHA-256 of an entry that an earlier backup has; undefined if it has none of this name and size */
export type HeldBefore = (name: string, bytes: number) => Sha256 | undefined

/** What the backup held when it ended. */
export type BackupTotals = { files: number; missing: number; entries: number }

const AT_A_TIME = 500

/**
 * All entries of a backup, in an order in which they fit together although the server goes on: the checkpoints of the
 * log, then the database, which knows at least these; then the files that this state of the database names, which
 * never change; then the keys, with those that were there at the beginning.
 *
 * @param totals is filled in
 * @throws {Error} if a file cannot be read, or becomes shorter
 */
export async function* entriesOfBackup(
  { db }: Pick<System, 'db'>,
  source: BackupSource,
  order: BackupOrder,
  totals: BackupTotals,
): AsyncGenerator<ArchiveEntry> {
  const record = recorder(order, totals)
  const checkpoints = await source.checkpoints()
  // A key that is dropped meanwhile still opens rows of the snapshot.
  const keys = new Map(await source.secrets())

  const snapshot = await db.snapshot()
  try {
    yield* record.start(await headerOf(snapshot.reader, order))
    for (const [name, file] of checkpoints) yield* record.copy(name, file)
    yield* entriesOfRows(snapshot.reader, record)
    await notePaths(snapshot.reader, order.paths)
  } finally {
    await snapshot.end()
  }

  yield* entriesOfFiles(source, order.paths, record)
  for (const [file, key] of await source.secrets()) keys.set(file, key)
  for (const [file, key] of keys) yield* record.bytes(secretName(file), key)
  yield* record.end()
}

async function headerOf(reader: Transaction, { id, madeAt, since }: BackupOrder) {
  const step = (await stepOf(reader)) ?? ''
  const before = since && { id: since.id, madeAt: since.madeAt }
  return { format: 1, id, madeAt, step, since: before } as const
}

/** What is restored is an installation of its own, with another store of files. */
const OF_THIS_PLACE = ['file_store']

async function* entriesOfRows(reader: Transaction, record: Recorder) {
  for (const table of await listTables(reader)) {
    if (OF_THIS_PLACE.includes(table)) continue
    let part = 0
    for await (const bytes of rowParts(reader, table))
      yield* record.changed(rowsName(table, ++part), bytes)
  }
}

async function notePaths(reader: Transaction, paths: LineFile): Promise<void> {
  let after: string | undefined
  do {
    const page = await listStoredPaths(reader, { after, limit: AT_A_TIME })
    for (const path of page) paths.add(path)
    after = page.length === AT_A_TIME ? page.at(-1) : undefined
  } while (after !== undefined)
}

async function* entriesOfFiles(source: BackupSource, paths: LineFile, record: Recorder) {
  await paths.whole()
  for await (const path of paths.lines()) {
    const file = await source.stored(path)
    if (file) yield* record.file(storedEntryName(path), file)
    else record.missing(storedEntryName(path))
  }
}

type Recorder = ReturnType<typeof recorder>

/** Gives entries, and writes into the manifest what they were. */
function recorder({ manifest, since }: BackupOrder, totals: BackupTotals) {
  const held = (name: string, bytes: number, digest: Sha256, where: HeldEntry['in']) => {
    manifest.add(writeManifestLine({ kind: 'held', name, bytes, sha256: digest, in: where }))
    totals.entries += 1
  }

  async function* copy(name: string, file: CopiedFile): AsyncGenerator<ArchiveEntry> {
    const hash = createHash('sha256')
    yield { name, bytes: file.bytes, pieces: hashed(file.pieces(), hash) }
    held(name, file.bytes, Sha256.parse(hash.digest('hex')), 'this')
  }

  async function* bytes(name: string, content: Uint8Array): AsyncGenerator<ArchiveEntry> {
    yield { name, bytes: content.length, pieces: only(content) }
    held(name, content.length, sha256(content), 'this')
  }

  return {
    copy,
    bytes,
    async *start(header: BackupHeader): AsyncGenerator<ArchiveEntry> {
      manifest.add(writeManifestLine({ kind: 'header', header }))
      const content = writeBackupHeader(header)
      yield { name: HEADER_NAME, bytes: content.length, pieces: only(content) }
    },
    /** Leaves out what an earlier backup has with the same bytes. */
    async *changed(name: string, content: Uint8Array): AsyncGenerator<ArchiveEntry> {
      const digest = sha256(content)
      if (since?.holds(name, content.length) === digest)
        held(name, content.length, digest, 'before')
      else yield* bytes(name, content)
    },
    /** Leaves out what an earlier backup has: a stored file never changes. */
    async *file(name: string, file: CopiedFile): AsyncGenerator<ArchiveEntry> {
      const before = since?.holds(name, file.bytes)
      if (before) held(name, file.bytes, before, 'before')
      else yield* copy(name, file)
      if (!before) totals.files += 1
    },
    missing(name: string) {
      manifest.add(writeManifestLine({ kind: 'missing', name }))
      totals.missing += 1
    },
    async *end(): AsyncGenerator<ArchiveEntry> {
      manifest.add(writeManifestLine({ kind: 'end', entries: totals.entries }))
      const file = await manifest.whole()
      yield { name: MANIFEST_NAME, bytes: file.bytes, pieces: file.pieces() }
    },
  }
}

async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
