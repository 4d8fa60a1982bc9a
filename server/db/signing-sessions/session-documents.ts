import { markTextsOfSessionDue } from '#server/db/documents/document-texts.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { SessionDocumentRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import { DocumentId, type SigningSessionId } from '#server/domain/ids.ts'
import type { SessionDocument } from '#server/domain/signing/session/ceremony.ts'
import type {
  SigningSession,
  SigningSessionState,
} from '#server/domain/signing/session/signing-session.ts'
import { toSession } from './session-rows.ts'

/** States in which a session holds its documents exclusively. */
export const HOLDING: readonly SigningSessionState[] = ['open', 'expired']

/** A session and its entry for one of its documents. */
export type Holding = { session: SigningSession; document: SessionDocument }

/** The session that holds the document; there is at most one. */
export async function findHoldingSession(
  db: Reader,
  documentId: DocumentId,
): Promise<Holding | undefined> {
  return (await findHoldingSessions(db, [documentId])).get(documentId)
}

/** The holding session for each document; documents that no session holds are absent. */
export async function findHoldingSessions(
  db: Reader,
  documentIds: Iterable<DocumentId>,
): Promise<Map<DocumentId, Holding>> {
  const rows = await inChunks(documentIds, (chunk) =>
    db
      .selectFrom('signing_sessions')
      .innerJoin('session_documents', 'session_documents.signing_session_id', 'signing_sessions.id')
      .selectAll('signing_sessions')
      .select(['document_id', 'completed_version', 'base_version', 'fields'])
      .where('session_documents.document_id', 'in', chunk)
      .where(unindexed<string>('signing_sessions.state'), 'in', HOLDING)
      .execute(),
  )
  const holdings = rows.map((row) => ({
    session: toSession(row),
    document: toSessionDocument(row),
  }))
  return new Map(holdings.map((holding) => [holding.document.id, holding]))
}

/** The last session that the document was put into, in any state. */
export async function findLatestSession(
  db: Reader,
  documentId: DocumentId,
): Promise<SigningSession | undefined> {
  const row = await db
    .selectFrom('signing_sessions')
    .innerJoin('session_documents', 'session_documents.signing_session_id', 'signing_sessions.id')
    .selectAll('signing_sessions')
    .where('session_documents.document_id', '=', documentId)
    .orderBy('signing_sessions.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toSession(row)
}

/** The last sessions that the document was put into, in any state, newest first. */
export async function listSessionsOf(
  db: Reader,
  documentId: DocumentId,
  limit: number,
): Promise<SigningSession[]> {
  const rows = await db
    .selectFrom('signing_sessions')
    .innerJoin('session_documents', 'session_documents.signing_session_id', 'signing_sessions.id')
    .selectAll('signing_sessions')
    .where('session_documents.document_id', '=', documentId)
    .orderBy('signing_sessions.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toSession)
}

/** The newest sessions of any of these documents. @param documentIds a few: all their sessions are read */
export async function listSessionIdsOf(
  db: Reader,
  documentIds: Iterable<DocumentId>,
  limit: number,
): Promise<SigningSessionId[]> {
  const rows = await inChunks(documentIds, (chunk) =>
    db
      .selectFrom('session_documents')
      .innerJoin('signing_sessions', 'signing_sessions.id', 'session_documents.signing_session_id')
      .select(['signing_sessions.id', 'signing_sessions.created_at'])
      .where('document_id', 'in', chunk)
      .execute(),
  )
  const newest = rows.toSorted((one, other) => other.created_at - one.created_at)
  return [...new Set(newest.map(({ id }) => id as SigningSessionId))].slice(0, limit)
}

/** The last sessions that were opened with the document, newest first, and whether their signers signed it. */
export async function listOpenedSessionsOf(
  db: Reader,
  documentId: DocumentId,
  limit: number,
): Promise<{ session: SigningSession; hasSigned: boolean }[]> {
  const rows = await db
    .selectFrom('signing_sessions')
    .innerJoin('session_documents', 'session_documents.signing_session_id', 'signing_sessions.id')
    .selectAll('signing_sessions')
    .where('session_documents.document_id', '=', documentId)
    .where('session_documents.base_version', 'is not', null)
    .orderBy('signing_sessions.created_at', 'desc')
    .limit(limit)
    .execute()
  const signed = await db
    .selectFrom('signatures')
    .innerJoin('signers', 'signers.id', 'signatures.session_signer_id')
    .select('signers.signing_session_id')
    .distinct()
    .where('signatures.document_id', '=', documentId)
    .execute()
  const ids = new Set(signed.map(({ signing_session_id }) => signing_session_id))
  return rows.map((row) => ({ session: toSession(row), hasSigned: ids.has(row.id) }))
}

/** Whether a session was ever opened with the document. */
export async function wasSentToSign(db: Reader, documentId: DocumentId): Promise<boolean> {
  const row = await db
    .selectFrom('session_documents')
    .select('document_id')
    .where('document_id', '=', documentId)
    .where('base_version', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The draft session that would add signatures to this complete document. */
export async function findDraftOnCompleted(
  db: Reader,
  documentId: DocumentId,
): Promise<SigningSessionId | undefined> {
  const row = await db
    .selectFrom('signing_sessions')
    .innerJoin('session_documents', 'session_documents.signing_session_id', 'signing_sessions.id')
    .select('signing_sessions.id')
    .where('session_documents.document_id', '=', documentId)
    .where('session_documents.completed_version', 'is not', null)
    .where('signing_sessions.state', '=', 'draft')
    .orderBy('signing_sessions.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id as SigningSessionId | undefined
}

/** The documents of each session, in session order. */
export async function listSessionDocuments(
  db: Reader,
  ids: Iterable<SigningSessionId>,
): Promise<Map<SigningSessionId, SessionDocument[]>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('session_documents')
      .select(['signing_session_id', 'document_id', 'completed_version', 'base_version', 'fields'])
      .where('signing_session_id', 'in', chunk)
      .orderBy('position')
      .execute(),
  )
  const grouped = Map.groupBy(rows, (row) => row.signing_session_id as SigningSessionId)
  return new Map([...grouped].map(([id, own]) => [id, own.map(toSessionDocument)]))
}

/** Replaces the documents of a draft session. */
export async function replaceSessionDocuments(
  trx: Transaction,
  id: SigningSessionId,
  documents: readonly SessionDocument[],
): Promise<void> {
  await markTextsOfSessionDue(trx, id)
  await trx.deleteFrom('session_documents').where('signing_session_id', '=', id).execute()
  await insertSessionDocuments(trx, id, documents)
}

/** Adds the documents to a session that has none, in this order. */
export async function insertSessionDocuments(
  trx: Transaction,
  id: SigningSessionId,
  documents: readonly SessionDocument[],
): Promise<void> {
  await trx
    .insertInto('session_documents')
    .values(
      documents.map((document, index) => ({
        signing_session_id: id,
        document_id: document.id,
        position: index + 1,
        completed_version: document.completedVersion,
        base_version: document.baseVersion,
        fields: JSON.stringify(document.fields),
      })),
    )
    .execute()
  await markTextsOfSessionDue(trx, id)
}

const toSessionDocument = (
  row: Pick<SessionDocumentRow, 'document_id' | 'completed_version' | 'base_version' | 'fields'>,
): SessionDocument => ({
  id: DocumentId.parse(row.document_id),
  completedVersion: row.completed_version,
  baseVersion: row.base_version,
  fields: JSON.parse(row.fields),
})
