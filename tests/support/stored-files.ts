import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { Blobs, ReadableFile } from '#server/ports/blobs.ts'
import type { TestSystem } from './test-system.ts'

/** The content of a stored file. */
export async function bytesIn({ blobs }: { blobs: Blobs }, address: FileAddress): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.stream(address, 0, await blobs.size(address))) chunks.push(chunk)
  return Buffer.concat(chunks)
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
