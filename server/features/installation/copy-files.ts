import { listStoredNames } from '#server/db/documents/stored-paths.ts'
import { payloadSize } from '#server/domain/age/stream.ts'
import { PARTS_FOLDER } from '#server/domain/documents/stored-file.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import type { System } from '#server/system.ts'

export type CopiedFiles = {
  copied: number
  /** There before, with their sizes. */
  held: number
  /** Missing in the source, or of another size. */
  lost: number
}

export type Move = { from: FileStore; to: FileStore }

const AT_A_TIME = 500
const AT_ONCE = 4

/**
 * Copies every stored file that the database names, and the parts of uploads, unless it is there with its size. Safe to repeat, and to
 * run beside the server: what is stored meanwhile is copied by the next run.
 *
 * @param tell is told the state after some hundred files
 * @throws {Problem} `files-unreachable`
 */
export async function copyFiles(
  { db }: Pick<System, 'db'>,
  move: Move,
  tell: (state: CopiedFiles) => void = () => {},
): Promise<CopiedFiles> {
  const state: CopiedFiles = { copied: 0, held: 0, lost: 0 }
  const copy = async ({ name, size }: NamedFile) => {
    state[await copyFile(move, name, size)] += 1
  }
  for await (const page of pagesOfFiles(db)) {
    await eachOf(page, copy)
    tell(state)
  }
  for await (const { name } of move.from.list(PARTS_FOLDER)) {
    const size = await move.from.size(name)
    // It is over, or has been removed.
    if (size !== undefined) await copyFile(move, name, size)
  }
  return state
}

/**
 * Removes from the source every file of the database, and every part of an upload, that the target has with its size. The source is no store of the
 * database from the beginning on: if we crash, no process starts on it.
 *
 * @returns how many
 */
export async function removeCopied(
  { db }: Pick<System, 'db'>,
  { from, to }: Move,
): Promise<number> {
  await from.identity.remove()
  let removed = 0
  for await (const page of pagesOfFiles(db))
    await eachOf(page, async ({ name, size }) => {
      const isThere = (await from.size(name)) !== undefined
      if (!isThere || (await to.size(name)) !== size) return
      await from.remove(name)
      removed += 1
    })
  for await (const { name } of from.list(PARTS_FOLDER)) {
    const size = await from.size(name)
    // One that came since the copy stays: its upload goes on.
    if (size !== undefined && (await to.size(name)) === size) await from.remove(name)
  }
  return removed
}

type NamedFile = { name: string; size: number }

async function* pagesOfFiles(db: System['db']): AsyncGenerator<NamedFile[]> {
  let after: string | undefined
  do {
    const page = await listStoredNames(db, { after, limit: AT_A_TIME })
    yield page.map(({ file, bytes }) => ({ name: file, size: payloadSize(bytes) }))
    after = page.length === AT_A_TIME ? page.at(-1)!.file : undefined
  } while (after !== undefined)
}

async function copyFile(
  { from, to }: Move,
  name: string,
  size: number,
): Promise<keyof CopiedFiles> {
  if ((await to.size(name)) === size) return 'held'
  if ((await from.size(name)) !== size) return 'lost'
  await from.withLocal(name, (path) => to.copy(path, name))
  return 'copied'
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lines = Array.from({ length: AT_ONCE }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  })
  // Waits for all of them even if one fails: none works on when the command ends.
  for (const ended of await Promise.allSettled(lines))
    if (ended.status === 'rejected') throw ended.reason
}
