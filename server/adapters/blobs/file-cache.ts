import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isOutOfSpace } from '#server/domain/installation/disk-floor.ts'
import { hours } from '#server/domain/time.ts'
import type { RawFile } from '#server/ports/file-store.ts'
import { openLocal } from './file-pieces.ts'
import { unlessMissing } from './missing.ts'
import { clearStale } from './shelves.ts'

/** Local copies of stored files, encrypted as they are. */
export type FileCache = {
  /**
   * Gives `use` the path of a copy, which stays until `use` returns, even if the copy is removed from the cache meanwhile. Those who
   * want a file at the same time load it once.
   */
  use<T>(file: Wanted, use: (path: string) => Promise<T>): Promise<T>
  /** Undefined if there is no copy. */
  open(name: string): Promise<RawFile | undefined>
  /** Makes a copy of the file, which stays where it is. Does nothing if the file system cannot. */
  add(path: string, name: string): Promise<void>
  forget(name: string): Promise<void>
}

export type Wanted = {
  name: string
  /** In bytes; asked only if there is no copy. */
  size(): Promise<number>
  /** Writes it to a new file. */
  load(path: string): Promise<void>
}

/** Several processes may share the folder: what the others have added is counted again after so long. */
const COUNT_AGE = hours(1)
/** When there is no room, the oldest copies go until so much of the limit is left: the folder is not read for each new one. */
const LEFT = 0.9

/**
 * A cache in `folder`, which keeps its copies when the process ends. The least recently used go first.
 *
 * @param limit of all copies together, in bytes; 0 keeps a copy only while it is used
 */
export async function openFileCache(folder: string, limit: number): Promise<FileCache> {
  const inUse = join(folder, 'in-use')
  await clearStale(inUse)
  let counted = 0
  let countedAt = 0
  let loadingBytes = 0
  const loading = new Map<string, Promise<void>>()
  let making = Promise.resolve()
  const pathOf = (name: string) => join(folder, name.replaceAll('/', '_'))
  /** At the first use, and whenever the operator has removed it. */
  const makeFolder = () => mkdir(inUse, { recursive: true, mode: 0o700 })

  async function evict(bytes: number): Promise<void> {
    const needed = loadingBytes + bytes
    const isFresh = Date.now() - countedAt < COUNT_AGE
    if (isFresh && counted + needed <= limit) return
    const copies = await copiesIn(folder)
    counted = copies.reduce((sum, { size }) => sum + size, 0)
    countedAt = Date.now()
    if (counted + needed <= limit) return
    const most = Math.min(LEFT * limit, limit - needed)
    for (const { path, size } of copies) {
      if (counted <= most) return
      await rm(path, { force: true })
      counted -= size
    }
  }

  /** One at a time: two would remove twice as much. */
  function makeRoom(bytes: number): Promise<void> {
    making = making.catch(() => {}).then(() => evict(bytes))
    return making
  }

  /** A second name of the copy: the file stays when the first one goes. Undefined if there is no copy. */
  async function linked(name: string): Promise<string | undefined> {
    const path = join(inUse, randomUUID())
    try {
      await link(pathOf(name), path)
    } catch (error) {
      return unlessMissing(error)
    }
    await touch(path)
    return path
  }

  async function load(file: Wanted): Promise<void> {
    const size = await file.size()
    if (size <= limit) await makeRoom(size)
    loadingBytes += size
    const path = join(inUse, randomUUID())
    try {
      await makeFolder()
      await file.load(path).catch(async (error) => {
        if (!isOutOfSpace(error)) throw error
        // Reading goes on while there is any room at all.
        await rm(path, { force: true })
        await makeRoom(Number.POSITIVE_INFINITY)
        await file.load(path)
      })
      await rename(path, pathOf(file.name))
      counted += size
    } finally {
      loadingBytes -= size
      await rm(path, { force: true })
    }
  }

  function loadOnce(file: Wanted): Promise<void> {
    const underWay = loading.get(file.name)
    if (underWay) return underWay
    const started = load(file).finally(() => loading.delete(file.name))
    loading.set(file.name, started)
    return started
  }

  /** Other files may push it out between its arrival and its use. */
  async function taken(file: Wanted): Promise<string> {
    for (let tries = 0; tries < 5; tries += 1) {
      const path = await linked(file.name)
      if (path) return path
      await loadOnce(file)
    }
    throw new Error(`the cache does not keep ${file.name}`)
  }

  async function forget(name: string): Promise<void> {
    const found = await stat(pathOf(name)).catch(unlessMissing)
    if (!found) return
    await rm(pathOf(name), { force: true })
    counted -= found.size
  }

  return {
    async use(file, use) {
      const path = await taken(file)
      try {
        const { size } = await stat(path)
        // One that is larger than the cache would push all others out.
        if (size > limit) await forget(file.name)
        return await use(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    async open(name) {
      const opened = await openLocal(pathOf(name)).catch(unlessMissing)
      if (opened) await touch(pathOf(name)).catch(unlessMissing)
      return opened
    },
    async add(path, name) {
      try {
        const { size } = await stat(path)
        if (size > limit) return
        await makeRoom(size)
        await makeFolder()
        await link(path, pathOf(name))
        counted += size
      } catch {
        // There is one already, or no links are possible: it is loaded when it is wanted.
      }
    },
    forget,
  }
}

const touch = (path: string) => utimes(path, new Date(), new Date())

/** The longest unused first. */
async function copiesIn(folder: string) {
  const copies: { path: string; size: number; usedAt: number }[] = []
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessMissing)
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    const found = entry.isFile() ? await stat(path).catch(unlessMissing) : undefined
    if (found) copies.push({ path, size: found.size, usedAt: found.mtimeMs })
  }
  return copies.toSorted((one, other) => one.usedAt - other.usedAt)
}
