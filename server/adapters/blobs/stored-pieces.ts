import { isProblem } from '#server/domain/problem.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { damageFrom, piecesIn, type Stretch } from './file-pieces.ts'

/**
 * The bytes of a stretch of a stored file; a piece is valid only until the next one is requested. If a local copy turns out to be
 * damaged, the rest comes from the store.
 *
 * @throws {Problem} `stored-file-damaged` if the store has no better one
 * @throws {Error} `ENOENT`
 */
export async function* storedPieces(
  store: FileStore,
  stretch: Stretch,
  chunksAtOnce?: number,
): AsyncGenerator<Uint8Array> {
  let { start } = stretch
  const rest = async function* () {
    const raw = await store.open(stretch.name).catch((error) => {
      throw damageFrom(error, stretch.name)
    })
    for await (const piece of piecesIn(raw, { ...stretch, start }, chunksAtOnce)) {
      start += piece.length
      yield piece
    }
  }
  try {
    yield* rest()
  } catch (error) {
    if (!(await hasBetterCopy(store, stretch.name, error))) throw error
    yield* rest()
  }
}

/**
 * The same for a reader of the whole file, which is called again with another copy.
 *
 * @param use only reads
 */
export async function withStored<T>(
  store: FileStore,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const read = () =>
    store.withLocal(name, use).catch((error) => {
      throw damageFrom(error, name)
    })
  try {
    return await read()
  } catch (error) {
    if (!(await hasBetterCopy(store, name, error))) throw error
    return await read()
  }
}

async function hasBetterCopy(store: FileStore, name: string, error: unknown): Promise<boolean> {
  const isDamage = isProblem(error, 'stored-file-damaged')
  return isDamage && (await store.dropCopy(name))
}
