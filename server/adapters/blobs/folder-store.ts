import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Instant } from '#server/domain/time.ts'
import type { FileStore, StoreIdentity } from '#server/ports/file-store.ts'
import { openLocal } from './file-pieces.ts'
import { unlessMissing } from './missing.ts'
import { shelvesOf, syncFolder } from './shelves.ts'

/** Files in a folder: a file appears by a rename, so that no reader ever sees half of one. */
export function folderStore(folder: string): FileStore {
  const shelves = shelvesOf(folder)
  const pathOf = (name: string) => join(folder, ...name.split('/'))

  return {
    place: folder,
    async size(name) {
      const found = await stat(pathOf(name)).catch(unlessMissing)
      return found?.isFile() ? found.size : undefined
    },
    open: (name) => openLocal(pathOf(name)),
    async withLocal(name, use) {
      const path = pathOf(name)
      await stat(path)
      return await use(path)
    },
    dropCopy: async () => false,
    move: (path, name) => shelves.place(path, pathOf(name)),
    async copy(path, name) {
      const half = await newPathIn(folder)
      try {
        await copyFile(path, half)
        await sync(half)
        await shelves.place(half, pathOf(name))
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
    },
    takeBack: (name, path) => rename(pathOf(name), path),
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list(name) {
      for (const file of (await readdir(pathOf(name)).catch(unlessMissing)) ?? []) {
        // Another process may have removed it.
        const found = await stat(join(pathOf(name), file)).catch(unlessMissing)
        if (found?.isFile())
          yield { name: `${name}/${file}`, writtenAt: Instant.parse(Math.floor(found.mtimeMs)) }
      }
    },
    identity: identityIn(folder),
  }
}

/** The file in the folder with the id of the store. */
const ID_FILE = 'store-id'

function identityIn(folder: string): StoreIdentity {
  const file = join(folder, ID_FILE)
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch(unlessMissing)
      return text?.trim()
    },
    async write(id) {
      const half = await newPathIn(folder)
      const handle = await open(half, 'wx', 0o600)
      try {
        await handle.writeFile(`${id}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(half, file)
      await syncFolder(folder)
    },
    remove: () => rm(file, { force: true }),
  }
}

/** A crash leaves the file where the next start removes it. */
async function newPathIn(folder: string): Promise<string> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  return join(incoming, randomUUID())
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
}
