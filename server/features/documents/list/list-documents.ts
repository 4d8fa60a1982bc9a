import { z } from 'zod'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { DocumentState } from '#server/domain/documents/document.ts'
import { DocumentFilters, instantsOf } from '#server/domain/documents/document-filters.ts'
import { DocumentOrder } from '#server/domain/documents/document-list.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { SigningSessionId, UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { DocumentPage } from '#server/steps/documents/document-page.ts'
import { findPage } from '#server/steps/documents/find-page.ts'
import { listedDocument } from '#server/steps/documents/listed-document.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** As many as a page of the list shows. */
const PAGE = 50

export const ListDocuments = z.object({
  ...DocumentFilters.shape,
  /** A search as people write it: words, numbers, dates, names, an RFC, a folio, a verification code. */
  text: z.string().trim().max(200).optional(),
  state: DocumentState.optional(),
  /** A user who is a signer of a session with the document. */
  signer: UserId.optional(),
  signingSession: SigningSessionId.optional(),
  /** Newest first if absent. A search has its own order: exact matches first. */
  order: DocumentOrder.optional(),
  /** The `next` of the previous page. */
  behind: DocumentCursor.optional(),
})
export type ListDocuments = z.infer<typeof ListDocuments>

/**
 * A page of the office's documents, or of those that a search or a filter finds. Of a blocked document those who may not read it
 * get no title.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listDocuments(
  system: System,
  actor: Actor,
  { by, from, to, ...asked }: ListDocuments,
  limit = PAGE,
): Promise<DocumentPage> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  const query = { ...asked, officeId: person.officeId, createdBy: by, limit }
  const days = { from, to }
  const page = await findPage(system, { ...query, ...(await instantsIn(db, person, days)) })
  return { ...page, documents: page.documents.map((one) => listedDocument(person, one)) }
}

type Days = Pick<ListDocuments, 'from' | 'to'>

async function instantsIn(db: Reader, { officeId }: Person, { from, to }: Days) {
  if (!from && !to) return {}
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  return instantsOf({ from, to }, office.timeZone)
}
