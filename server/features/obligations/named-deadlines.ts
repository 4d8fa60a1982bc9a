import { findDocuments } from '#server/db/documents/documents.ts'
import { listObligations } from '#server/db/obligations/obligations.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Deadline, NamedDeadline } from '#server/domain/obligations/deadline.ts'

/** Names them, with two queries however many there are. */
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
