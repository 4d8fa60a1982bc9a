import { sql } from 'kysely'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { DocumentId, Sha256, SignerId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Who read: a user, or an external signer. */
export type ReaderKey = `user:${UserId}` | `signer:${SignerId}`

export type Reading = {
  /** The last page that was shown; 0 if none was. */
  furthest: number
  pages: number
  /** When the reader was asked whether to sign without having seen all pages. */
  askedAt: Instant | null
}

type Version = { documentId: DocumentId; sha256: Sha256; pages: number }

/**
 * What a reader saw of a version; what they saw of another version counts, if that has as many pages: a signature
 * changes none of them. Undefined if they saw nothing of the document.
 */
export async function findReading(
  db: Reader,
  { documentId, pages }: Pick<Version, 'documentId' | 'pages'>,
  reader: ReaderKey,
): Promise<Reading | undefined> {
  const rows = await db
    .selectFrom('reading_progress')
    .select(['pages', 'furthest', 'asked_at'])
    .where('document_id', '=', documentId)
    .where('reader', '=', reader)
    .execute()
  if (rows.length === 0) return undefined
  const alike = rows.filter((row) => row.pages === pages)
  return {
    furthest: Math.max(0, ...alike.map((row) => Math.min(row.furthest, pages))),
    pages,
    askedAt: alike.find((row) => row.asked_at !== null)?.asked_at ?? null,
  }
}

/**
 * The last page of each of these versions that a reader was shown, as `findReading` says it; absent if none was.
 *
 * @param versions of different documents
 */
export async function listFurthestPages(
  db: Reader,
  versions: readonly Pick<Version, 'documentId' | 'pages'>[],
  reader: ReaderKey,
): Promise<Map<DocumentId, number>> {
  if (versions.length === 0) return new Map()
  const pagesOf = new Map(versions.map(({ documentId, pages }) => [documentId, pages]))
  const rows = await db
    .selectFrom('reading_progress')
    .select(['document_id', 'pages', 'furthest'])
    .where('document_id', 'in', [...pagesOf.keys()])
    .where('reader', '=', reader)
    .where('furthest', '>', 0)
    .execute()
  const furthest = new Map<DocumentId, number>()
  for (const row of rows) {
    const id = row.document_id as DocumentId
    if (row.pages === pagesOf.get(id))
      furthest.set(id, Math.max(furthest.get(id) ?? 0, Math.min(row.furthest, row.pages)))
  }
  return furthest
}

/** Notes that a page was shown. */
export async function noteShownPage(
  trx: Transaction,
  version: Version,
  { reader, page, at }: { reader: ReaderKey; page: number; at: Instant },
): Promise<void> {
  await trx
    .insertInto('reading_progress')
    .values({
      ...keyOf(version, reader),
      ...{ pages: version.pages, last_page: page, furthest: page },
      ...{ first_at: at, last_at: at, asked_at: null },
    })
    .onConflict((conflict) =>
      conflict.columns(['document_id', 'reader', 'version_sha256']).doUpdateSet({
        last_page: page,
        last_at: at,
        furthest: sql<number>`case when reading_progress.furthest < ${page} then ${page} else reading_progress.furthest end`,
      }),
    )
    .execute()
}

/** Notes that the reader is asked whether to sign without having seen all pages. */
export async function noteAsked(
  trx: Transaction,
  version: Version,
  { reader, at }: { reader: ReaderKey; at: Instant },
): Promise<void> {
  await trx
    .insertInto('reading_progress')
    .values({
      ...keyOf(version, reader),
      ...{ pages: version.pages, last_page: 0, furthest: 0 },
      ...{ first_at: at, last_at: at, asked_at: at },
    })
    .onConflict((conflict) =>
      conflict.columns(['document_id', 'reader', 'version_sha256']).doUpdateSet({ asked_at: at }),
    )
    .execute()
}

const keyOf = ({ documentId, sha256 }: Version, reader: ReaderKey) => ({
  document_id: documentId,
  reader,
  version_sha256: sha256,
})
