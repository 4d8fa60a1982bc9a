import { MOST_COUNTED } from '#server/db/count-up-to.ts'
import { countDocuments as countRows } from '#server/db/documents/document-lists.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type DocumentCounts = {
  /** Of the whole office, at most `mostCounted` of each state; states without documents are absent. */
  counts: Partial<Record<DocumentState, number>>
  mostCounted: number
}

/** The number of the office's documents in each state. @throws {Problem} `not-signed-in`, `forbidden` */
export async function countDocuments(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<DocumentCounts> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  return { counts: await countRows(db, officeId), mostCounted: MOST_COUNTED }
}
