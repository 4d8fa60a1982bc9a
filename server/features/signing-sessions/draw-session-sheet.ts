import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { sheetFor } from '#server/domain/signing/plan-signature.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { findSignable } from '#server/steps/signing/find-signable.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'
import { awaitedSignatures } from './awaited-signatures.ts'
import { cautionOf } from './caution-of.ts'
import { findManagedSession } from './find-managed-session.ts'

/** Sheets are drawn one at a time: signatures need the threads, too. */
const SHEET_PICTURES: QueueOf = { name: 'sheet-pictures', places: 1, ofOneOwner: 8 }

const WIDTH = 1000

export const DrawSessionSheet = z.object({
  signingSessionId: SigningSessionId,
  documentId: DocumentId,
  /** Counts from 1. */
  sheet: z.coerce.number().int().positive(),
})
export type DrawSessionSheet = z.infer<typeof DrawSessionSheet>

/**
 * A picture of the signature sheet that opening the draft session would append to the document, as PNG.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also if the document gets no such sheet; `session-state` once it
 *   was opened; `damaged-pdf`, `stored-file-damaged`
 */
export async function drawSessionSheet(
  system: System,
  actor: Actor,
  { signingSessionId: id, documentId, sheet: page }: DrawSessionSheet,
): Promise<Uint8Array> {
  const { db, clock, blobs, pdf, settings, memory } = system
  const at = clock.now()
  const { person, ceremony } = await findManagedSession(system, actor, id, at)
  const { session, signers, documents } = ceremony
  if (session.state !== 'draft') throw new Problem('session-state', `${id} is ${session.state}`)
  if (!documents.some((document) => document.id === documentId))
    throw new Problem('not-found', `${documentId} is not in ${id}`)
  const signable = await findSignable(db, { documentId })
  const kindName = documentKinds[signable.document.kind]
  const sheet = sheetFor({ ...settings, ...signable, kindName, caution: cautionOf(session) })
  if (!sheet) throw new Problem('not-found', `${documentId} gets no sheet`)
  const awaited = await awaitedSignatures(db, signers, at)
  const { inTurn } = memory.queue(SHEET_PICTURES)
  const draw = () =>
    blobs.withFile(signable.version, (file) =>
      pdf.sheetPicture(file, { sheet, awaited }, { page, width: WIDTH }),
    )
  return await reportDamage(system, signable, inTurn(draw, { owner: person.userId }))
}
