import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { addFinding } from '#server/db/documents/upload-judgements.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { CANNOT_BE_DRAWN } from '#server/steps/judgements/inspect-upload.ts'
import { onceMore } from '#server/steps/judgements/once-more.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { findReadableVersion } from './find-readable-version.ts'

/** Width in pixels, enough to read on a screen. */
const WIDTH = 1200

/** Pictures take one thread at a time: signatures need the threads too, and a user may ask for a thousand pages. */
export const PAGE_PICTURES: QueueOf = { name: 'page-pictures', places: 1, ofOneOwner: 64 }

export const DrawPage = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Counts from 1. */
  page: z.coerce.number().int().positive(),
})
export type DrawPage = z.infer<typeof DrawPage>

export type DrawnPage = {
  /** Identifies the picture: equal names mean equal bytes. */
  name: string
  /** A PNG; undefined if the caller holds it already. */
  picture: Uint8Array | undefined
}

/**
 * Draws one page of a version as a PNG. The log records which pages a user was shown: what they could have read
 * before signing.
 *
 * @param input.held names of the pictures that the caller still has; they are not drawn again
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`, `damaged-pdf`,
 *   `stored-file-damaged`; `too-many-attempts` when many of theirs wait
 */
export async function drawPage(
  system: System,
  actor: Actor,
  input: DrawPage & { held?: readonly string[] },
): Promise<DrawnPage> {
  const { db, clock } = system
  const at = clock.now()
  const { document, version, subject } = await findReadableVersion(system, actor, input, at)
  if (input.page > version.pages)
    throw new Problem('not-found', `no page ${input.page} in ${document.id}, ${input.version}`)

  const name = `${version.sha256}-${input.page}-${WIDTH}`
  const picture = input.held?.includes(name)
    ? undefined
    : await reportDamage(
        system,
        { document, version },
        drawOrNote(system, actor, version, input.page),
      )
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at,
      action: 'document.previewed',
      subject,
      details: { version: version.version, sha256: version.sha256, page: input.page },
    }),
  )
  return { name, picture }
}

/** A page that cannot be drawn is a finding: signers of the document state that they read it elsewhere. */
async function drawOrNote(
  system: System,
  actor: Actor,
  version: DocumentVersion,
  page: number,
): Promise<Uint8Array> {
  try {
    // A second try waits for its turn again: other users do not wait for both.
    return await onceMore(() => drawInTurn(system, actor, version, page))
  } catch (error) {
    if (error instanceof Problem && CANNOT_BE_DRAWN.includes(error.code))
      await noteNotDrawable(system, version)
    throw error
  }
}

async function drawInTurn(
  { memory, blobs, pdf }: System,
  actor: Actor,
  version: DocumentVersion,
  page: number,
): Promise<Uint8Array> {
  const draw = () => blobs.withFile(version, (file) => pdf.picture(file, { page, width: WIDTH }))
  return await memory.queue(PAGE_PICTURES).inTurn(draw, ownerOf(actor))
}

function ownerOf(actor: Actor): { owner?: string } {
  if (actor.kind === 'anonymous') return {}
  return { owner: actor.kind === 'guest' ? actor.signerId : actor.userId }
}

/** The judgement is about the uploaded file: a later version changes nothing in it. */
async function noteNotDrawable({ db, clock }: System, drawn: DocumentVersion): Promise<void> {
  const uploaded = await findUploadedVersion(db, drawn.documentId)
  if (uploaded?.sha256 !== drawn.sha256) return
  const at = clock.now()
  await db.transaction((trx) => addFinding(trx, uploaded, 'not-drawable', at))
}
