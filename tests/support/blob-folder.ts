import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'

/** A new folder for the blobs of each test. */
export function blobFolder() {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rubrica-blobs-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: () => folder,
    /** Files that are not kept yet. */
    incoming: () => filesIn(join(folder, 'incoming')),
    /** Kept files. */
    stored: () => filesIn(folder).filter((file) => !file.includes('incoming')),
  }
}

/** The paths of all files of a folder and its folders. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** The content of a file as text. */
export const textOf = (file: ReadableFile): Promise<string> =>
  withReadable(file, (source) => Buffer.from(source.read(0, source.length)).toString())

/** Text of so many bytes. */
export const longText = (length: number): Buffer =>
  Buffer.alloc(length, 'escritura pública número doce ')
