import { z } from 'zod'
import { findOffice } from '#server/db/offices.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findPresence } from './find-presence.ts'
import { listMyTurns, type WaitingDocument } from './list-my-turns.ts'

export const ReadBatch = z.object({
  /** Only the documents of this session; those of every session where it is left out. */
  signingSessionId: SigningSessionId.optional(),
})
export type ReadBatch = z.infer<typeof ReadBatch>

export type BatchView = {
  person: Person
  office: Office
  /** Those whose turn is now, the oldest session first. */
  documents: WaitingDocument[]
  /** How many wait behind them: one page shows only so many. */
  more: number
  /** Whether the person must first show that they are there, for all of these documents. */
  needsPresence: boolean
  now: Instant
}

/** As many as somebody looks through, and as fit into the address of the page that asks for presence. */
const MOST_IN_BATCH = 250

/**
 * What the actor can sign now with a key that is opened once.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readBatch(
  system: System,
  actor: Actor,
  { signingSessionId }: ReadBatch,
): Promise<BatchView> {
  const { db, clock } = system
  const now = clock.now()
  const turns = await listMyTurns(system, actor)
  const person = mustBeSignedIn(actor)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const wanted = turns.filter(
    ({ turn, session }) => turn === 'now' && (!signingSessionId || session.id === signingSessionId),
  )
  const documents = wanted.slice(0, MOST_IN_BATCH)
  const shown = documents.map(({ document, version }) => ({
    documentId: document.id,
    sha256: version.sha256,
  }))
  const isPresent = (await findPresence(db, office, person, shown, now)) !== undefined
  return {
    ...{ person, office, documents, now },
    more: wanted.length - documents.length,
    needsPresence: shown.length > 0 && !isPresent,
  }
}
