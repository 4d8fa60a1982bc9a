import { findUploadedVersion, listUploadedPages } from '#server/db/documents/document-versions.ts'
import {
  findReading,
  listFurthestPages,
  noteAsked,
  type ReaderKey,
} from '#server/db/documents/reading-progress.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Instant, seconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** A second click before this time is a double click, not an answer. */
const TIME_TO_ANSWER = seconds(2)

/** `read`: up to the last page that was uploaded. */
export type Seen = 'unread' | 'begun' | 'read'

/** What a signer was shown here before signing, for the log. */
export type PagesSeen = { pagesSeen: number; pages: number }

/** Pages that were read in another program are not known. */
export async function pagesSeenBy(
  { db }: Pick<System, 'db'>,
  signatory: Signatory,
  version: DocumentVersion,
): Promise<PagesSeen> {
  const reading = await findReading(db, version, readerKeyOf(signatory))
  return { pagesSeen: reading?.furthest ?? 0, pages: version.pages }
}

/**
 * Asks a signer who has not reached the last page that was uploaded, once for each version; the next attempt is the answer. Never keeps
 * anyone from signing.
 *
 * @throws {Problem} `pages-unread`, with the next page to read: nothing is signed yet
 */
export async function askAboutUnread(
  { db }: Pick<System, 'db'>,
  signatory: Signatory,
  version: DocumentVersion,
  at: Instant,
): Promise<void> {
  const reader = readerKeyOf(signatory)
  const reading = await findReading(db, version, reader)
  if (version.pages === 0) return
  const furthest = reading?.furthest ?? 0
  // The sheets of signatures are ours, and the page for signing says what they get.
  const uploaded = await findUploadedVersion(db, version.documentId)
  if (furthest >= Math.min(uploaded?.pages ?? version.pages, version.pages)) return
  const askedAt = reading?.askedAt ?? null
  if (askedAt !== null && after(askedAt, TIME_TO_ANSWER) <= at) return
  if (askedAt === null) await db.transaction((trx) => noteAsked(trx, version, { reader, at }))
  const seen = `${furthest} of ${version.pages} pages`
  const next = { kind: String(furthest + 1) }
  throw new Problem('pages-unread', `${reader} saw ${seen} of ${version.documentId}`, next)
}

/** How much of each document the signer was shown here; the sheets of signatures are not counted. */
export async function readingOf(
  { db }: Pick<System, 'db'>,
  signatory: Signatory,
  versions: readonly DocumentVersion[],
): Promise<Map<DocumentId, Seen>> {
  const furthest = await listFurthestPages(db, versions, readerKeyOf(signatory))
  const uploaded = await listUploadedPages(
    db,
    versions.map(({ documentId }) => documentId),
  )
  return new Map(
    versions.map(({ documentId, pages }) => {
      const seen = furthest.get(documentId) ?? 0
      const isRead = seen >= Math.min(uploaded.get(documentId) ?? pages, pages)
      return [documentId, isRead ? 'read' : seen > 0 ? 'begun' : 'unread']
    }),
  )
}

const readerKeyOf = (signatory: Signatory): ReaderKey =>
  signatory.kind === 'guest' ? `signer:${signatory.signerId}` : `user:${signatory.userId}`
