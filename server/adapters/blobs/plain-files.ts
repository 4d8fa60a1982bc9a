import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { plainPathOf } from '#server/domain/documents/stored-file.ts'
import { Sha256 } from '#server/domain/ids.ts'

export const plainPath = (folder: string, sha256: Sha256): string =>
  join(folder, ...plainPathOf(Sha256.parse(sha256)).split('/'))

const SHELF = /^[0-9a-f]{2}$/

/** The digests of the files that lie there, in order. */
export async function* listPlain(folder: string): AsyncGenerator<Sha256> {
  for (const first of await shelvesIn(folder))
    for (const second of await shelvesIn(join(folder, first)))
      for (const name of await namesIn(join(folder, first, second))) {
        const digest = Sha256.safeParse(name)
        if (digest.success) yield digest.data
      }
}

/** Takes folders away that are empty then. */
export async function removePlain(folder: string, sha256: Sha256): Promise<void> {
  const path = plainPath(folder, sha256)
  await rm(path, { force: true })
  for (const shelf of [dirname(path), dirname(dirname(path))])
    await rmdir(shelf).catch((error: NodeJS.ErrnoException) => {
      if (!EXPECTED.includes(error.code ?? '')) throw error
    })
}

/** It holds other files, or another process took it away. */
const EXPECTED = ['ENOTEMPTY', 'EEXIST', 'ENOENT']

const shelvesIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => SHELF.test(name))

/** None if another process took the folder away. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  return names.toSorted()
}
