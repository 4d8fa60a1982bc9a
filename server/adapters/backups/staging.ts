import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '#server/adapters/key-files.ts'
import { type EntryPlace, storedEntryName } from '#server/domain/backups/entry-name.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { ArchiveEntry } from '#server/ports/archive-entry.ts'

/** Where a restore puts what it unpacks, before any of it is in its place. */
export type Staging = {
  readonly folder: string
  /** The file for an entry. @param turn counts the backups: each has a manifest of its own */
  pathOf(place: EntryPlace, turn: number): string
  /** Writes the entry, durable once it returns, in place of one of an earlier backup. */
  write(entry: ArchiveEntry, file: string): Promise<Sha256>
  /** Removes stored files that are not named. @returns their number */
  keepFiles(isNamed: (entryName: string) => boolean): Promise<number>
  /** Makes the names of all files durable. */
  sync(): void
}

/** @param folder is made; must not exist */
export async function createStaging(folder: string): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made = new Set<string>([folder])
  const blobs = path.join(folder, 'blobs')

  async function makeFolder(wanted: string): Promise<void> {
    if (made.has(wanted)) return
    await makeFolder(path.dirname(wanted))
    await mkdir(wanted, { recursive: true, mode: 0o700 })
    made.add(wanted)
  }

  return {
    folder,
    pathOf: (place, turn) => path.join(folder, ...segmentsOf(place, turn)),
    async write({ name, bytes, pieces }, file) {
      await makeFolder(path.dirname(file))
      const hash = createHash('sha256')
      const handle = await open(file, 'w', 0o600)
      try {
        let written = 0
        for await (const piece of pieces) {
          hash.update(piece)
          await handle.writeFile(piece)
          written += piece.length
        }
        if (written !== bytes) throw new Error(`${name} has ${written} of ${bytes} bytes`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      return Sha256.parse(hash.digest('hex'))
    },
    async keepFiles(isNamed) {
      let removed = 0
      const found = await readdir(blobs, { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of found.filter((one) => one.isFile())) {
        const full = path.join(entry.parentPath, entry.name)
        const name = storedEntryName(path.relative(blobs, full).split(path.sep).join('/'))
        if (isNamed(name)) continue
        await rm(full)
        removed += 1
      }
      return removed
    },
    sync() {
      for (const one of made) syncFolder(one)
    },
  }
}

/** The folders of a data folder, so that they are moved and not copied. */
function segmentsOf(place: EntryPlace, turn: number): string[] {
  switch (place.kind) {
    case 'header':
      return [`header-${turn}.json`]
    case 'manifest':
      return [`manifest-${turn}.jsonl`]
    case 'checkpoints':
      return ['audit', place.file]
    case 'rows':
      return ['database', place.table, `${place.part}.jsonl.gz`]
    case 'secret':
      return ['secrets', place.file]
    case 'file':
      return ['blobs', ...place.path.split('/')]
  }
}
