import { sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import { Document } from '#server/domain/documents/document.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Stretch, TimedRow } from './stretch.ts'

const { kind: Kind, state: State } = Document.shape

export type ChangedDocument = TimedRow & Pick<Document, 'kind' | 'state'> & { uploadedAt: Instant }

/** Documents in the order in which they came into their state; an index has all of what is read. */
export async function listChangedDocuments(
  db: Reader,
  { officeId, from, to, behind, limit }: Stretch,
): Promise<ChangedDocument[]> {
  const query = db
    .selectFrom('documents')
    .select(['id', 'kind', 'state', 'state_since', 'created_at'])
    .where('office_id', '=', officeId)
    .where('state_since', '>=', behind?.at ?? from)
    .where('state_since', '<=', to)
    .orderBy('state_since')
    .orderBy('id')
    .limit(limit)
  const rows = await (behind
    ? query.where(sql<boolean>`(state_since, id) > (${behind.at}, ${behind.id})`)
    : query
  ).execute()
  return rows.map(({ id, kind, state, state_since: at, created_at: uploadedAt }) => ({
    ...{ id, at, kind: Kind.parse(kind), state: State.parse(state), uploadedAt },
  }))
}
