import { listDocuments } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** As many as a signing session may hold. */
const MOST = 500

export type Drafts = {
  /** Newest first. */
  drafts: Document[]
  /** Whether there are older ones. */
  isMore: boolean
}

/**
 * The office's drafts that can be put into a signing session, in one list.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listDrafts(system: System, actor: Actor): Promise<Drafts> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(
    db,
    actor,
    'signing-sessions.manage',
    own,
    clock.now(),
  )
  const found = await listDocuments(db, { officeId, state: 'draft', limit: MOST + 1 })
  return { drafts: found.slice(0, MOST), isMore: found.length > MOST }
}
