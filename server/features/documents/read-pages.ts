import { z } from 'zod'
import { findReading } from '#server/db/documents/reading-progress.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, milliseconds, seconds } from '#server/domain/time.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import type { PageText } from '#server/ports/pdf-work.ts'
import { ownerOf } from '#server/steps/documents/read-in-turn.ts'
import { CANNOT_BE_DRAWN } from '#server/steps/judgements/inspect-upload.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { PAGE_PICTURES } from './draw-page.ts'
import { findReadableVersion, type ReadableVersion } from './find-readable-version.ts'
import { noteShown, readerOf } from './note-shown.ts'

/** Most pages of one call. */
export const MOST_PAGES = 50

export const ReadPages = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Counts from 1. */
  first: z.number().int().positive(),
  count: z.number().int().positive().max(MOST_PAGES),
  /** Text to be read by itself, or beside the pictures of the pages. */
  purpose: z.enum(['text', 'pictures']),
})
export type ReadPages = z.infer<typeof ReadPages>

export type ReadPage = {
  page: number
  /** Undefined if it cannot be read, or not in time. */
  text: PageText | undefined
}

export type PagesRead = {
  pages: ReadPage[]
  /** Of the version. */
  pageCount: number
  /** The last page that the reader was shown before; 0 if none. */
  furthest: number
}

/** Pages that are read while others wait for the page; a page without its text is still whole. */
const PATIENCE: Record<ReadPages['purpose'], Duration> = {
  pictures: milliseconds(600),
  text: seconds(10),
}

/** Texts stand in memory alone: on the disk files are encrypted. */
const TEXTS: CacheOf<Promise<PageText>> = { name: 'page-texts', capacity: 400 }

/**
 * The texts of some pages of a version, for a page of ours. Logs them as previews.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `consent-needed`; `not-found` if there is no such page
 */
export async function readPages(
  system: System,
  actor: Actor,
  input: ReadPages,
): Promise<PagesRead> {
  const { db, clock } = system
  const at = clock.now()
  const readable = await findReadableVersion(system, actor, input, at)
  const { document, version } = readable
  if (input.first > Math.max(version.pages, 1))
    throw new Problem('not-found', `no page ${input.first} in ${document.id}, ${version.version}`)
  const count = Math.min(input.count, version.pages - input.first + 1)
  const numbers = Array.from({ length: count }, (_, index) => input.first + index)
  const pages = await textsWithin(system, actor, readable, numbers, PATIENCE[input.purpose])

  const reader = readerOf(actor)
  const documentId = document.id
  const reading = reader && (await findReading(db, { ...version, documentId }, reader))
  const sent = pages.flatMap(({ page, text }) => (text && text.lines.length > 0 ? [page] : []))
  const isRead = input.purpose === 'text'
  if (sent.length > 0) await noteShown(system, actor, readable, { pages: sent, isRead, at })
  return { pages, pageCount: version.pages, furthest: reading?.furthest ?? 0 }
}

/** A late or unreadable page has no text. */
async function textsWithin(
  system: System,
  actor: Actor,
  readable: ReadableVersion,
  numbers: readonly number[],
  patience: Duration,
): Promise<ReadPage[]> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), patience).unref()
  })
  const texts = numbers.map((page) => textOf(system, actor, readable, page).catch(() => undefined))
  const read = await Promise.all(texts.map((text) => Promise.race([text, late])))
  return numbers.map((page, index) => ({ page, text: read[index] }))
}

function textOf(
  system: System,
  actor: Actor,
  readable: ReadableVersion,
  page: number,
): Promise<PageText> {
  const { officeId, sha256 } = readable.version
  const texts = system.memory.cache(TEXTS)
  const key = `${officeId} ${sha256} ${page}`
  const found = texts.find(key)
  if (found) return found
  const reading = readInTurn(system, actor, readable, page)
  // What says something about the file stays: reading it again would take as long.
  reading.catch((error: unknown) => {
    const isAboutFile = error instanceof Problem && CANNOT_BE_DRAWN.includes(error.code)
    if (!isAboutFile) texts.forget(key)
  })
  return texts.keep(key, reading)
}

function readInTurn(
  system: System,
  actor: Actor,
  readable: ReadableVersion,
  page: number,
): Promise<PageText> {
  const { blobs, memory, pdf } = system
  const read = () => blobs.withFile(readable.version, (file) => pdf.pageText(file, page))
  const reading = memory.queue(PAGE_PICTURES).inTurn(read, ownerOf(actor))
  return reportDamage(system, readable, reading)
}
