import { z } from 'zod'
import { listIssuedCopies } from '#server/db/documents/issued-copies.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { IssuedCopy } from '#server/domain/documents/copies/issued-copy.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { DocumentId, IssuedCopyId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { findCompleted } from '#server/steps/signing/find-completed.ts'
import type { System } from '#server/system.ts'
import { findCopied } from './find-copied.ts'

export const ListCopies = z.object({
  documentId: DocumentId,
  /** The `next` of the previous page. */
  behind: pageCursor(IssuedCopyId).optional(),
})
export type ListCopies = z.infer<typeof ListCopies>

/** A copy as this person may see it. */
export type ListedCopy = Omit<IssuedCopy, 'by' | 'cancelled'> & {
  byName: string
  cancelled: { at: IssuedCopy['at']; byName: string; reason: string } | null
  mayCancel: boolean
}

export type CopyPage = {
  document: Document
  /** Whether there is a complete version, of which copies can be issued. */
  isComplete: boolean
  copies: ListedCopy[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the copies of a document, those recorded last first. The RFC of a recipient is null for users who may see only
 * names, unless they recorded it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function listCopies(
  system: System,
  actor: Actor,
  { documentId, behind, size = 50 }: ListCopies & { size?: number },
): Promise<CopyPage> {
  const { db, clock } = system
  const asked = { documentId, action: 'document.read', at: clock.now() } as const
  const { person, document } = await findCopied(system, actor, asked)
  const found = await listIssuedCopies(db, { documentId, behind, limit: size + 1 })
  const page = found.slice(0, size)
  const users = await findUsers(
    db,
    page.flatMap(({ by, cancelled }) => (cancelled ? [by, cancelled.by] : [by])),
  )
  const nameOf = (id: IssuedCopy['by']) => {
    const user = users.get(id)
    return user ? fullName(user) : ''
  }
  const last = found.length > size ? page.at(-1) : undefined
  return {
    document,
    isComplete: (await findCompleted(db, document)) !== undefined,
    copies: page.map((copy) => shownTo(person, copy, nameOf)),
    next: last && cursorText(last),
  }
}

function shownTo(
  person: Person,
  { by, cancelled, ...copy }: IssuedCopy,
  nameOf: (id: IssuedCopy['by']) => string,
): ListedCopy {
  const maySeeRfc = isAllowed(person.roles, 'users.read') || by === person.userId
  const { recipient } = copy
  return {
    ...copy,
    recipient: maySeeRfc ? recipient : { ...recipient, rfc: null },
    byName: nameOf(by),
    cancelled: cancelled && {
      ...{ at: cancelled.at, reason: cancelled.reason },
      byName: nameOf(cancelled.by),
    },
    mayCancel: !cancelled && isAllowed(person.roles, 'document.cancel-copy'),
  }
}
