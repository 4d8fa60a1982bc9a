import { sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import { Document } from '#server/domain/documents/document.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { CountedDocument } from '#server/domain/reports/document-counts.ts'
import type { Instant } from '#server/domain/time.ts'

export type UploadedDocument = CountedDocument & { id: string }

type Uploads = {
  /** The first and the last instant of the upload. */
  from: Instant
  to: Instant
  /** The last document of the rows before. */
  behind: Pick<UploadedDocument, 'id' | 'uploadedAt'> | undefined
  limit: number
}

const { kind: Kind, state: State } = Document.shape

/** What reports count of documents, in the order of their upload. */
export async function listUploadedDocuments(
  db: Reader,
  officeId: OfficeId,
  { from, to, behind, limit }: Uploads,
): Promise<UploadedDocument[]> {
  const query = db
    .selectFrom('documents')
    .select(['id', 'kind', 'state', 'created_at'])
    .where('office_id', '=', officeId)
    .where('created_at', '>=', behind?.uploadedAt ?? from)
    .where('created_at', '<=', to)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  const rows = await (behind
    ? query.where(sql<boolean>`(created_at, id) > (${behind.uploadedAt}, ${behind.id})`)
    : query
  ).execute()
  return rows.map(({ id, kind, state, created_at: uploadedAt }) => ({
    ...{ id, kind: Kind.parse(kind), state: State.parse(state), uploadedAt },
  }))
}
