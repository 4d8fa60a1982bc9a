import { z } from 'zod'
import { findRetentionItem, listRetentionItems } from '#server/db/care/retention.ts'
import { findDocument, findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import {
  mayBeDestroyed,
  type RetentionItem,
  RetentionState,
} from '#server/domain/care/retention.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListRetention = z.object({
  state: RetentionState,
  /** The `next` of the previous page. */
  behind: pageCursor(DocumentId).optional(),
})
export type ListRetention = z.infer<typeof ListRetention>

export type ListedItem = RetentionItem & {
  document: Document
  byName: string
  /** Whether the block is over, and the actor did not begin it. */
  mayDestroy: boolean
}

export type RetentionPage = { office: Office; items: ListedItem[]; next: string | undefined }

/**
 * A page of the documents whose term is over, in one state, newest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listRetention(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { state, behind, size = 50 }: ListRetention & { size?: number },
): Promise<RetentionPage> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'retention.read', own, at)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const of = { officeId: office.id, state }
  const found = await listRetentionItems(db, of, { behind, limit: size + 1 })
  const page = found.slice(0, size)
  const documents = await findDocuments(
    db,
    page.map(({ documentId }) => documentId),
  )
  const users = await findUsers(
    db,
    page.flatMap(({ by }) => by ?? []),
  )
  const last = found.length > size ? page.at(-1) : undefined
  return {
    office,
    items: page.flatMap((item) => {
      const document = documents.get(item.documentId)
      const user = item.by === null ? undefined : users.get(item.by)
      if (!document) return []
      const mayDestroy = mayBeDestroyed(item, at) && item.by !== person.userId
      return [{ ...item, document, byName: user ? fullName(user) : '', mayDestroy }]
    }),
    next: last && cursorText({ at: last.since, id: last.documentId }),
  }
}

/**
 * One of them, for its page.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readRetention(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId }: { documentId: DocumentId },
): Promise<{ office: Office; item: ListedItem }> {
  const at = clock.now()
  const document = await findDocument(db, documentId)
  const item = await findRetentionItem(db, documentId)
  if (!document || !item) throw new Problem('not-found', `no item of ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  const person = await authorizeOrRecord(db, actor, 'retention.read', document, at, subject)
  const office = await findOffice(db, item.officeId)
  if (!office) throw new Problem('not-found', `no office ${item.officeId}`)
  const user = item.by === null ? undefined : (await findUsers(db, [item.by])).get(item.by)
  const mayDestroy = mayBeDestroyed(item, at) && item.by !== person.userId
  return { office, item: { ...item, document, byName: user ? fullName(user) : '', mayDestroy } }
}
