import { z } from 'zod'
import { findPublicDocument } from '#server/db/documents/public-documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { networkOf } from '#server/domain/identity/attempts/network.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { drawCached, isDrawn, nameOfPicture } from '#server/steps/documents/draw-cached.ts'
import { arePicturesPublic } from '#server/steps/documents/public-pictures.ts'
import { findCompleted } from '#server/steps/signing/find-completed.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { consumePublicAttempt } from './consume-public-attempt.ts'
import { countVerification } from './count-verification.ts'
import { laneOf } from './lane-of.ts'
import { lookingUp } from './looking-up.ts'

/** Pixels; few, because each picture is kept. */
const WIDTHS = [640, 1000] as const

/** Strangers wait for each other here, not before the workers that judge their files. */
const PUBLIC_PAGES: QueueOf = { name: 'public-pages', places: 1, waiting: 32, ofOneOwner: 4 }

export const DrawPublicPage = z.object({
  id: z.string(),
  /** Counts from 1. */
  page: z.coerce.number().int().positive(),
  width: z.coerce.number().pipe(z.literal(WIDTHS)),
})
export type DrawPublicPage = z.input<typeof DrawPublicPage>

export type PublicPages = { document: Document; version: DocumentVersion }

/**
 * A document whose pages the public may see, at its last complete version. Logged like a verification.
 *
 * @throws {Problem} `not-found` for every other document, known or not
 */
export async function readPublicPages(
  system: System,
  actor: Actor,
  { id }: { id: string },
): Promise<PublicPages> {
  const pages = await findPublicPages(system, actor, id)
  await countVerification(system, actor, pages.document)
  return pages
}

/**
 * A picture of such a page, as PNG, drawn by the workers of strangers for strangers.
 *
 * @param input.held names of the pictures that the caller still has; they are not drawn again
 * @throws {Problem} `not-found`; `too-many-attempts`; `damaged-pdf`, `pdf-too-complex`, `stored-file-damaged`
 */
export async function drawPublicPage(
  system: System,
  actor: Actor,
  input: DrawPublicPage & { held?: readonly string[]; signal?: AbortSignal },
): Promise<{ name: string; picture: Uint8Array | undefined }> {
  const { page, width } = DrawPublicPage.parse(input)
  const { document, version } = await findPublicPages(system, actor, input.id)
  if (page > version.pages) throw new Problem('not-found', `no page ${page} in ${document.id}`)
  await countVerification(system, actor, document)
  const part = { page, width }
  const name = nameOfPicture(version, part)
  if (input.held?.includes(name)) return { name, picture: undefined }
  if (actor.kind !== 'person') await consumePublicAttempt(system, actor, 'page')
  const lane = laneOf(system, actor)
  const draw = () => drawCached(lane, lane.pdf, version, part)
  const queue = system.memory.queue(PUBLIC_PAGES)
  const drawing = isDrawn(system, version, part)
    ? draw()
    : queue.inTurn(draw, { owner: networkOf(actor.ip), signal: input.signal })
  return { name, picture: await reportDamage(system, { document, version }, drawing) }
}

async function findPublicPages(system: System, actor: Actor, text: string): Promise<PublicPages> {
  const { db } = system
  const id = DocumentId.safeParse(text.toLowerCase())
  const document = id.success && (await findPublicDocument(db, { id: id.data }, lookingUp(actor)))
  const completed = document && (await findCompleted(db, document))
  if (!completed || !(await arePicturesPublic(db, document, completed.version)))
    throw new Problem('not-found', 'no public pages')
  return { document, version: completed.version }
}
