import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { findReading, noteAsked, type ReaderKey } from '#server/db/documents/reading-progress.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Instant, seconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** A second click before this time is a double click, not an answer. */
const TIME_TO_ANSWER = seconds(2)

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
 * @throws {Problem} `pages-unread`: nothing is signed yet
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
  throw new Problem('pages-unread', `${reader} saw ${seen} of ${version.documentId}`)
}

const readerKeyOf = (signatory: Signatory): ReaderKey =>
  signatory.kind === 'guest' ? `signer:${signatory.signerId}` : `user:${signatory.userId}`
