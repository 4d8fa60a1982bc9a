import type { FileStore } from '#server/ports/file-store.ts'
import { isMissing } from './missing.ts'

/**
 * Reads from `main`, and from `other` what is missing or damaged there; writes to `main` alone, and removes from both. For the time in which
 * the files of an installation move.
 */
export function twoStores(main: FileStore, other: FileStore): FileStore {
  /** Names of files that were damaged in `main` or in its local copy: they are read from `other`. */
  const damaged = new Set<string>()
  return {
    ...main,
    size: async (name) => (await main.size(name)) ?? (await other.size(name)),
    open: (name) =>
      damaged.has(name)
        ? other.open(name)
        : main.open(name).catch(ifMissing(() => other.open(name))),
    withLocal(name, use) {
      if (damaged.has(name)) return other.withLocal(name, use)
      let isUsed = false
      const using = main.withLocal(name, (path) => {
        isUsed = true
        return use(path)
      })
      // What `use` itself misses is another file.
      return using.catch((error) => {
        if (isUsed || !isMissing(error)) throw error
        return other.withLocal(name, use)
      })
    },
    async dropCopy(name) {
      const dropped = [await main.dropCopy(name), await other.dropCopy(name)]
      // Only once: a file that is damaged in `other` too has no better copy, unless one was dropped.
      const isElsewhere = !damaged.has(name) && (await other.size(name)) !== undefined
      if (isElsewhere) damaged.add(name)
      return isElsewhere || dropped.includes(true)
    },
    async remove(name) {
      for (const store of [main, other]) await store.remove(name)
    },
    async *list(folder) {
      yield* main.list(folder)
      yield* other.list(folder)
    },
  }
}

function ifMissing<T>(next: () => Promise<T>) {
  return (error: unknown): Promise<T> => {
    if (!isMissing(error)) throw error
    return next()
  }
}
