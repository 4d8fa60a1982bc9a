import type { Reader } from '#server/db/transaction.ts'

/**
 * The stored files of all offices that the database names: their paths below the folder of the stored files, with
 * `/` between folders. Each once, in an order that never changes.
 *
 * @param after the last path of the page before
 */
export async function listStoredPaths(
  db: Reader,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('document_versions')
    .select('sha256')
    .distinct()
    .$if(after !== undefined, (query) => query.where('sha256', '>', digestOf(after!)))
    .orderBy('sha256')
    .limit(limit)
    .execute()
  return rows.map(({ sha256 }) => pathOf(sha256))
}

const pathOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
const digestOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
