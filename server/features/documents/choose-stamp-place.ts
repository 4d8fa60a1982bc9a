import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument, replaceStampChoice } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { StampChoice } from '#server/domain/documents/stamp-choice.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { StampFacts } from '#server/domain/signing/increment.ts'
import { stampFor } from '#server/domain/signing/plan-signature.ts'
import {
  isAt,
  type StampOutlook,
  type StampQuery,
} from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { Instant } from '#server/domain/time.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findSignable, type Signable } from '#server/steps/signing/find-signable.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'

type ChooseStampPlace = {
  documentId: DocumentId
  /** Null: the program finds a place. */
  choice: StampChoice | null
}

export const ReadStampPlaces = z.object({
  documentId: DocumentId,
  /** Counts from 1; the page of the next stamp if absent, or if there is no such page. */
  page: z.coerce.number().int().positive().optional().catch(undefined),
  /** In thousandths of the page, from its upper left corner. */
  pointed: StampChoice.pick({ x: true, y: true }).optional().catch(undefined),
})
export type ReadStampPlaces = z.infer<typeof ReadStampPlaces>

/** Files are read one at a time: signatures need the threads, too. */
const STAMP_PLACES: QueueOf = { name: 'stamp-places', places: 1, ofOneOwner: 8 }

/**
 * Chooses where the visible signatures of a document that arrived signed stand. Only a place that is sure to be blank, and
 * where our verifier finds that the earlier signatures stay good, is accepted; nothing has been signed there yet.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document that gets a sheet, or is in a
 *   session; `someone-signing`; `stamp-place-taken`, `stamp-impossible`; `stored-file-damaged`, `pdf-too-complex`
 */
export async function chooseStampPlace(
  system: System,
  actor: Actor,
  { documentId, choice }: ChooseStampPlace,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, signable, stamp, subject } = await findPlaceable(system, actor, documentId, at)
  if (choice) await mustBeBlank(system, signable, { ...stamp, choice }, person.userId)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    const document = (await findDocument(trx, documentId)) ?? signable.document
    mustBeUnheld(document)
    if (isDeepStrictEqual(document.stampChoice, choice)) return
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    // The place was found in this version.
    const seen = { ...document, version: signable.document.version }
    if (!(await replaceStampChoice(trx, seen, choice)))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    const { page, x, y } = choice ?? { page: null, x: null, y: null }
    const action = 'document.stamp-placed'
    await appendEvent(trx, { actor, at, action, subject, details: { page, x, y } })
  })
}

export type StampPlaces = Pick<Signable, 'document' | 'version'> &
  StampOutlook & {
    /** The page whose places these are. */
    shown: number
  }

/**
 * Where the next visible signature will stand, and the blank places of one page.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document that gets a sheet, or is in a
 *   session; `stored-file-damaged`, `damaged-pdf`, `pdf-too-complex`
 */
export async function readStampPlaces(
  system: System,
  actor: Actor,
  input: ReadStampPlaces,
): Promise<StampPlaces> {
  const at = system.clock.now()
  const { person, signable, stamp } = await findPlaceable(system, actor, input.documentId, at)
  const { document, version } = signable
  const isThere = input.page !== undefined && input.page <= version.pages
  const shown = isThere ? input.page : undefined
  const read = (page: number) =>
    outlook(system, signable, { stamp, page, pointed: input.pointed }, person.userId)
  const wanted = shown ?? stamp.choice?.page ?? version.pages
  const found = await read(wanted)
  const { forecast } = found
  // The program searches several pages: show the one on which it found a place.
  if (shown === undefined && forecast.kind === 'visible' && forecast.place.page !== wanted)
    return { document, version, ...(await read(forecast.place.page)), shown: forecast.place.page }
  return { document, version, ...found, shown: wanted }
}

async function findPlaceable(system: System, actor: Actor, documentId: DocumentId, at: Instant) {
  const { db, settings } = system
  const signable = await findSignable(db, { documentId })
  const { document } = signable
  const subject = { kind: 'document', id: documentId } as const
  const person = await authorizeOrRecord(db, actor, 'document.place-stamp', document, at, subject)
  const stamp = stampFor({ ...settings, ...signable })
  if (!stamp) throw new Problem('wrong-state', `${documentId} gets a signature sheet`)
  mustBeUnheld(document)
  return { person, signable, stamp, subject }
}

/** @throws {Problem} `wrong-state` */
function mustBeUnheld({ id, state }: Document): void {
  if (state !== 'draft' && state !== 'signed') throw new Problem('wrong-state', `${id} is ${state}`)
}

/** @throws {Problem} `stamp-place-taken`, `stamp-impossible` */
async function mustBeBlank(
  system: System,
  signable: Signable,
  stamp: StampFacts & { choice: StampChoice },
  owner: string,
): Promise<void> {
  const { forecast } = await outlook(system, signable, { stamp }, owner)
  const about = signable.document.id
  if (forecast.kind === 'visible') {
    if (isAt(forecast.place, stamp.choice)) return
    throw new Problem('stamp-place-taken', `nothing is blank there in ${about}`)
  }
  throw new Problem(
    forecast.obstacle === 'no-place' ? 'stamp-place-taken' : 'stamp-impossible',
    `${about}: ${forecast.obstacle}`,
  )
}

async function outlook(
  system: System,
  signable: Signable,
  query: StampQuery,
  owner: string,
): Promise<StampOutlook> {
  const { blobs, pdf, memory } = system
  const { inTurn } = memory.queue(STAMP_PLACES)
  const read = () => blobs.withFile(signable.version, (file) => pdf.stampOutlook(file, query))
  return await reportDamage(system, signable, inTurn(read, { owner }))
}
