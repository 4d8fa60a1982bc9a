import { z } from 'zod'
import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { addFinding } from '#server/db/documents/upload-judgements.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { QueueOf, QueueOptions } from '#server/ports/memory.ts'
import type { PagePart } from '#server/ports/pdf-work.ts'
import { drawCached, isDrawn, nameOfPicture } from '#server/steps/documents/draw-cached.ts'
import { ownerOf } from '#server/steps/documents/read-in-turn.ts'
import { CANNOT_BE_DRAWN } from '#server/steps/judgements/inspect-upload.ts'
import { onceMore } from '#server/steps/judgements/once-more.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { findReadableVersion } from './find-readable-version.ts'
import { noteShown } from './note-shown.ts'

/** The widths in which pages are drawn, in pixels; a bounded number, because each picture is kept. */
const PICTURE_WIDTHS = [160, 640, 800, 1000, 1400, 2000] as const
/** Nothing can be read in a narrower picture. */
const LEGIBLE = 640

/**
 * Pictures and texts of pages take one thread at a time: signatures need the threads too, and a user may ask for a
 * thousand pages.
 */
export const PAGE_PICTURES: QueueOf = { name: 'page-pictures', places: 1, ofOneOwner: 64 }

/** Pages that are drawn before anyone asks for them; one at a time for each user. */
const PAGES_AHEAD: QueueOf = { name: 'pages-ahead', places: 4, waiting: 0, ofOneOwner: 1 }

const WIDTH_OF_PROGRAMS = 1000

export const DrawPage = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Counts from 1. */
  page: z.coerce.number().int().positive(),
  width: z.coerce.number().pipe(z.literal(PICTURE_WIDTHS)).default(WIDTH_OF_PROGRAMS),
  /** `2,0,1`: of 2 × 2 parts, the first row, the second column. */
  region: z
    .string()
    .regex(/^(?:2,[01],[01]|4,[0-3],[0-3])$/)
    .optional(),
  /** In degrees, clockwise. */
  rotate: z.coerce
    .number()
    .pipe(z.literal([0, 90, 180, 270]))
    .default(0),
})
export type DrawPage = z.input<typeof DrawPage>

export type DrawnPage = {
  /** Identifies the picture: equal names mean equal bytes. */
  name: string
  /** A PNG; undefined if the caller holds it already. */
  picture: Uint8Array | undefined
}

/**
 * Draws one page of a version, or a part of it, as a PNG. The log records which pages a user was shown: what they could
 * have read before signing. The page after it is drawn in advance, into the memory of this process alone.
 *
 * @param input.held names of the pictures that the caller still has; they are not drawn again
 * @param input.signal aborted when the caller is gone: a page that waits is not drawn
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`, `damaged-pdf`,
 *   `stored-file-damaged`; `too-many-attempts` when many of theirs wait
 */
export async function drawPage(
  system: System,
  actor: Actor,
  input: DrawPage & { held?: readonly string[]; signal?: AbortSignal },
): Promise<DrawnPage> {
  const at = system.clock.now()
  const wanted = DrawPage.parse(input)
  const readable = await findReadableVersion(system, actor, wanted, at)
  const { document, version } = readable
  if (wanted.page > version.pages)
    throw new Problem('not-found', `no page ${wanted.page} in ${document.id}, ${wanted.version}`)

  const part = partOf(wanted)
  const name = nameOfPicture(version, part)
  const picture = input.held?.includes(name)
    ? undefined
    : await reportDamage(
        system,
        { document, version },
        drawOrNote(system, actor, version, part, input.signal),
      )
  const isRead = part.width >= LEGIBLE
  await noteShown(system, actor, readable, { pages: [part.page], isRead, at })
  if (isRead && !part.region) drawAhead(system, actor, version, { ...part, page: part.page + 1 })
  return { name, picture }
}

function partOf({ page, width, rotate, region }: z.output<typeof DrawPage>): PagePart {
  if (region === undefined) return { page, width, rotate }
  const [parts, row, column] = region.split(',').map(Number)
  return { page, width, rotate, region: { parts: parts as 2 | 4, row: row!, column: column! } }
}

/** A page that cannot be drawn is a finding: signers of the document state that they read it elsewhere. */
async function drawOrNote(
  system: System,
  actor: Actor,
  version: DocumentVersion,
  part: PagePart,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  try {
    // A second try waits for its turn again: other users do not wait for both.
    return await onceMore(() => drawInTurn(system, actor, version, part, { signal }))
  } catch (error) {
    if (error instanceof Problem && CANNOT_BE_DRAWN.includes(error.code))
      await noteNotDrawable(system, version)
    throw error
  }
}

async function drawInTurn(
  system: System,
  actor: Actor,
  version: DocumentVersion,
  part: PagePart,
  options: QueueOptions = {},
): Promise<Uint8Array> {
  const draw = () => drawCached(system, system.pdf, version, part)
  // What is drawn already, or now, needs no thread of its own.
  if (isDrawn(system, version, part)) return await draw()
  const { inTurn } = system.memory.queue(PAGE_PICTURES)
  return await inTurn(draw, { ...ownerOf(actor), ...options })
}

/** The judgement is about the uploaded file: a later version changes nothing in it. */
async function noteNotDrawable({ db, clock }: System, drawn: DocumentVersion): Promise<void> {
  const uploaded = await findUploadedVersion(db, drawn.documentId)
  if (uploaded?.sha256 !== drawn.sha256) return
  const at = clock.now()
  await db.transaction((trx) => addFinding(trx, uploaded, 'not-drawable', at))
}

/** Draws a page in the background when no reader waits for a picture. It is not sent, so it is no event. */
function drawAhead(system: System, actor: Actor, version: DocumentVersion, part: PagePart): void {
  if (part.page > version.pages || system.pdf.isCrowded() || isDrawn(system, version, part)) return
  const { inTurn } = system.memory.queue(PAGES_AHEAD)
  const ahead = inTurn(
    () => drawInTurn(system, actor, version, part, { isPatient: true }),
    ownerOf(actor),
  )
  // A request for the page will report the reason.
  ahead.catch(() => undefined)
}
