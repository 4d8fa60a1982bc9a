import { findDocuments } from '#server/db/documents/documents.ts'
import { listObligations } from '#server/db/obligations/obligations.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'

/** A deadline with what it is of. */
export type NamedDeadline = {
  deadline: Deadline
  obligation: Obligation
  /** Folio and kind say enough in a list; undefined for that of a month. */
  document: Pick<Document, 'id' | 'folio' | 'kind'> | undefined
}

export async function namedDeadlines(
  db: Reader,
  office: Office,
  deadlines: readonly Deadline[],
): Promise<NamedDeadline[]> {
  const obligations = new Map((await listObligations(db, office)).map((one) => [one.id, one]))
  const documents = await findDocuments(
    db,
    deadlines.flatMap(({ about }) => (about.kind === 'document' ? [about.documentId] : [])),
  )
  return deadlines.flatMap((deadline) => {
    const { obligationId, about } = deadline
    const obligation = obligations.get(obligationId)
    const document = about.kind === 'document' ? documents.get(about.documentId) : undefined
    return obligation ? [{ deadline, obligation, document }] : []
  })
}
