import { sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import { Document } from '#server/domain/documents/document.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { CountedDocument } from '#server/domain/reports/document-counts.ts'
import type { Stretch, TimedRow } from './stretch.ts'

const { kind: Kind, state: State } = Document.shape

/** What reports count of documents, in the order of their upload. */
export async function listUploadedDocuments(
  db: Reader,
  stretch: Stretch,
): Promise<(TimedRow & CountedDocument)[]> {
  const rows = await uploadsIn(db, stretch).select(['id', 'kind', 'state', 'created_at']).execute()
  return rows.map(({ id, kind, state, created_at: at }) => ({
    ...{ id, at, kind: Kind.parse(kind), state: State.parse(state), uploadedAt: at },
  }))
}

/** The acts of documents, in the order of their upload; null without one. */
export async function listUploadedActs(
  db: Reader,
  stretch: Stretch,
): Promise<(TimedRow & { act: string | null; state: Document['state'] })[]> {
  const rows = await uploadsIn(db, stretch)
    .select(['id', 'state', 'created_at', 'instrument'])
    .execute()
  return rows.map(({ id, state, created_at: at, instrument }) => ({
    ...{ id, at, state: State.parse(state) },
    act: instrument === null ? null : Acts.parse(JSON.parse(instrument)).acts,
  }))
}

const Acts = Instrument.pick({ acts: true })

function uploadsIn(db: Reader, { officeId, from, to, behind, limit }: Stretch) {
  const query = db
    .selectFrom('documents')
    .where('office_id', '=', officeId)
    .where('created_at', '>=', behind?.at ?? from)
    .where('created_at', '<=', to)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  return behind ? query.where(sql<boolean>`(created_at, id) > (${behind.at}, ${behind.id})`) : query
}
