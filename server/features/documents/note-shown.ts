import { appendEvents } from '#server/db/audit/audit-events.ts'
import { noteShownPage, type ReaderKey } from '#server/db/documents/reading-progress.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { hours, type Instant } from '#server/domain/time.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'
import type { ReadableVersion } from './find-readable-version.ts'

/** Pages that this process told the log about; each is told again after an hour. */
const TOLD: CacheOf<Promise<unknown>> = { name: 'told-previews', capacity: 20_000 }
/** The furthest page of each reader that is stored already. */
const FURTHEST: CacheOf<number> = { name: 'furthest-pages', capacity: 20_000 }

/** Who reads, in `reading_progress`; undefined without a session. */
export function readerOf(actor: Actor): ReaderKey | undefined {
  if (actor.kind === 'anonymous') return undefined
  return actor.kind === 'guest' ? `signer:${actor.signerId}` : `user:${actor.userId}`
}

/**
 * Records that pages of a version are shown: an event for each page that the same actor was not shown within the hour,
 * and how far they read. Committed once it returns; call it before the answer leaves.
 *
 * @param shown.pages count from 1
 * @param shown.isRead false for what cannot be read yet: a small picture, text before its picture
 */
export async function noteShown(
  { db, eventQueue, memory }: Pick<System, 'db' | 'eventQueue' | 'memory'>,
  actor: Actor,
  { document, version, subject }: ReadableVersion,
  { pages, isRead, at }: { pages: readonly number[]; isRead: boolean; at: Instant },
): Promise<void> {
  const told = memory.cache(TOLD)
  const furthest = memory.cache(FURTHEST)
  const reader = readerOf(actor)
  const hour = Math.floor(at / hours(1))
  const keyOf = (page: number) =>
    `${doorOf(actor)} ${document.id} ${version.sha256} ${page} ${hour}`
  const progressKey = `${reader} ${document.id} ${version.sha256}`
  const last = Math.max(...pages)
  const goesOn = isRead && reader !== undefined && last > (furthest.find(progressKey) ?? 0)
  const untold = pages.filter((page) => !told.find(keyOf(page)))
  const before = pages.flatMap((page) => told.find(keyOf(page)) ?? [])

  if (untold.length > 0 || goesOn) {
    const details = { version: version.version, sha256: version.sha256 }
    const events = untold.map((page) => ({
      ...{ actor, at, subject, action: 'document.previewed' as const },
      details: { ...details, page },
    }))
    const noted = goesOn
      ? db.transaction(async (trx) => {
          await noteShownPage(
            trx,
            { documentId: document.id, sha256: version.sha256, pages: version.pages },
            { reader, page: last, at },
          )
          await appendEvents(trx, events)
        })
      : eventQueue.appendAll(events)
    for (const page of untold) told.keep(keyOf(page), noted)
    try {
      await noted
    } catch (error) {
      for (const page of untold) told.forget(keyOf(page))
      throw error
    }
    if (goesOn) furthest.keep(progressKey, last)
  }
  // Another request tells the log at this moment: this answer waits for it, too.
  await Promise.all(before)
}

/** One session, link or program at one address: a view through another is another event. */
function doorOf(actor: Actor): string {
  if (actor.kind === 'anonymous') return actor.ip
  const door = actor.kind === 'guest' ? actor.linkId : actor.sessionId
  return `${door} ${actor.ip} ${actor.browser}`
}
