import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { createVault } from '#server/adapters/vault.ts'
import { openDatabase } from '#server/db/database.ts'
import { fileRecordsIn, findStoredFile } from '#server/db/documents/stored-files.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { Blobs, ReadableFile } from '#server/ports/blobs.ts'
import type { TestSystem } from './test-system.ts'

/** The content of a stored file. */
export async function bytesIn({ blobs }: { blobs: Blobs }, address: FileAddress): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.stream(address, 0, await blobs.size(address))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The files of an installation whose database is SQLite, with its keys. */
export async function storeIn(dataFolder: string) {
  const db = openDatabase(join(dataFolder, 'rubrica.sqlite'))
  const vault = createVault(openSealingKeys(join(dataFolder, 'secrets')))
  const parts = { records: fileRecordsIn(db), vault, clock: systemClock }
  const blobs = await createFileBlobs(join(dataFolder, 'blobs'), parts)
  return { blobs, close: () => db.close() }
}

/** Where the encrypted file lies. */
export async function storedPath(
  { db, folder }: Pick<TestSystem, 'db' | 'folder'>,
  address: FileAddress,
): Promise<string> {
  const found = await findStoredFile(db, address)
  if (!found) throw new Error(`no file ${address.sha256}`)
  return join(folder, ...found.file.split('/'))
}

/** A file that lies on the disk as it is. */
export const plainFile = (path: string): ReadableFile => ({
  path,
  length: statSync(path).size,
  fileKey: null,
})

/** Gives `use` a file with these bytes, for programs that read files. */
export async function onDisk<T>(bytes: Uint8Array, use: (path: string) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-file-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, bytes)
    return use(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
