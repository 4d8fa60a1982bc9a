import type { Database } from '#server/db/database.ts'
import { insertStoredFiles } from '#server/db/documents/stored-files.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { PlacedBlob, StagedBlob } from '#server/ports/blobs.ts'

export type FileToKeep = { blob: StagedBlob; officeId: OfficeId }

/**
 * Durable before visible: makes the files durable under their names, then writes their rows and runs `work` in one
 * transaction. If we crash before it commits, files without rows stay behind. The caller discards the blobs afterwards in any case.
 */
export async function commitWithFiles<T>(
  db: Database,
  files: readonly FileToKeep[],
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const placed = await placeAll(files)
  try {
    const { written, result } = await db.transaction(async (trx) => {
      const rows = placed.map(({ row }) => row)
      return { written: await insertStoredFiles(trx, rows), result: await work(trx) }
    })
    // Another process stored the same content meanwhile: the row names its file.
    await takeBack(placed.filter(({ row }) => !written.has(row.file)))
    return result
  } catch (error) {
    // If the connection broke, the row may be there, and must have its file.
    if (isRolledBack(error)) await takeBack(placed)
    throw error
  }
}

/** Only a refusal is rolled back for certain. */
const isRolledBack = (error: unknown) => error instanceof Problem && error.code !== 'commit-unknown'

/** Files that are renamed in parallel: a file system writes its journal once for several. */
const AT_ONCE = 8

async function placeAll(files: readonly FileToKeep[]): Promise<PlacedBlob[]> {
  const placed: PlacedBlob[] = []
  try {
    for (let start = 0; start < files.length; start += AT_ONCE) {
      // Waits for all of a group even if one fails, so that the cleanup finds every file.
      const group = files.slice(start, start + AT_ONCE)
      const results = await Promise.allSettled(group.map(place))
      for (const result of results)
        if (result.status === 'fulfilled' && result.value) placed.push(result.value)
      for (const result of results) if (result.status === 'rejected') throw result.reason
    }
    return placed
  } catch (error) {
    await takeBack(placed)
    throw error
  }
}

const place = ({ blob, officeId }: FileToKeep) => blob.place(officeId)

/** A file that cannot be taken back is litter; the caller learns why it was not needed. */
const takeBack = (placed: readonly PlacedBlob[]) =>
  Promise.allSettled(placed.map((one) => one.takeBack()))
