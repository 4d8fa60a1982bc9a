import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe } from 'vitest'
import { folderStore } from '#server/adapters/blobs/folder-store.ts'
import { openObjects, type S3Place } from '#server/adapters/blobs/s3-objects.ts'
import { openS3Store } from '#server/adapters/blobs/s3-store.ts'
import { createBlobs } from '#server/adapters/blobs-files.ts'
import type { Blobs } from '#server/ports/blobs.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { filesIn } from './blob-folder.ts'
import { testKeyParts } from './file-records.ts'
import { swiftServer } from './swift-of-tests.ts'

export type TestStore = {
  /** The blobs of another machine. @param records by default those of no other */
  blobs(records?: Parameters<typeof testKeyParts>[0]): Promise<Blobs>
  /** The names of all stored files. */
  stored(): Promise<string[]>
  /** The files that are not kept yet, of all machines. */
  incoming(): string[]
  /** Takes the only stored file away. */
  lose(): Promise<void>
}

/** In bytes. */
const ROOM = 100 * 1024 ** 2

/** The same tests on a folder and on S3, each test on an empty store of its own. */
export function onEachStore(tests: (current: () => TestStore) => void): void {
  describe('in a folder', () => {
    const folders = testFolders()
    tests(() => {
      const folder = folders.one()
      const store = folderStore(folder)
      const places = { incoming: join(folder, 'incoming'), files: store, plain: folder }
      return {
        blobs: (records) => createBlobs(places, testKeyParts(records)),
        ...looking(store, folders, async () =>
          filesIn(folder).map((file) => file.slice(folder.length + 1)),
        ),
      }
    })
  })
  describe('in S3', () => {
    const swift = swiftServer()
    const folders = testFolders()
    let place: S3Place
    let store: FileStore
    beforeEach(async () => {
      place = await swift().newPlace()
      store = await openS3Store(place, { folder: join(folders.one(), 'tests'), limit: 0 })
    })
    tests(() => ({
      blobs: async (records) => (await machineWith(place, folders.another(), records)).blobs,
      ...looking(store, folders, () => namesIn(place)),
    }))
  })
}

/** The names of all objects of the place. */
export async function namesIn(place: S3Place): Promise<string[]> {
  const objects = await openObjects(place, 'the test')
  const names: string[] = []
  for await (const { key } of objects.list('')) names.push(key)
  return names
}

/** A machine whose files lie in the bucket. @param limit of its local copies, in bytes */
export async function machineWith(
  place: S3Place,
  folder: string,
  records?: Parameters<typeof testKeyParts>[0],
  limit = ROOM,
) {
  const files = await openS3Store(place, { folder: join(folder, 'cache'), limit })
  const incoming = join(folder, 'incoming')
  const blobs = await createBlobs({ incoming, files, plain: null }, testKeyParts(records))
  // The folder is made with the first copy.
  const cache = join(folder, 'cache')
  return { blobs, files, copies: () => (existsSync(cache) ? filesIn(cache) : []) }
}

/** Folders that are removed after the test. */
export function testFolders() {
  let folder = ''
  let count = 0
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rubrica-store-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return {
    one: () => folder,
    another: () => join(folder, `machine-${++count}`),
  }
}

function looking(
  store: FileStore,
  folders: ReturnType<typeof testFolders>,
  names: () => Promise<string[]>,
): Omit<TestStore, 'blobs'> {
  const stored = async () => (await names()).filter((name) => !name.startsWith('incoming/'))
  return {
    stored,
    incoming: () => filesIn(folders.one()).filter((file) => file.includes('/incoming/')),
    async lose() {
      const [only] = await stored()
      if (only) await store.remove(only)
    },
  }
}
