import { type SqlBool, sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import type {
  DocumentId,
  OfficeId,
  SignerId,
  SigningSessionId,
  UserId,
} from '#server/domain/ids.ts'
import type { Turn } from '#server/domain/signing/session/turns.ts'
import { EPOCH, type Instant } from '#server/domain/time.ts'

/** A document that a user must sign, and the signer that the user is there. */
export type AwaitedTurn = {
  signingSessionId: SigningSessionId
  signerId: SignerId
  documentId: DocumentId
  turn: Extract<Turn, 'now' | 'waiting'>
  /** Where it stands in the list. */
  cursor: TurnCursor
}

/** The last turn of a page; the next page starts after it. */
export type TurnCursor = { since: Instant; signerId: SignerId; position: number }

export type TurnFilter = {
  officeId: OfficeId
  userId: UserId
  /** `now` if the user can sign, `waiting` if others sign first. */
  turn: AwaitedTurn['turn']
  signingSessionId?: SigningSessionId | undefined
  /** Only these documents. */
  documentIds?: readonly DocumentId[] | undefined
  behind?: TurnCursor | undefined
  now: Instant
  limit: number
}

/**
 * The documents that the user must sign in open sessions, oldest session first and in session order. An index gives
 * this order, so that the database stops at the limit, however much there is to sign; of chosen documents it begins with them.
 */
export async function listTurns(db: Reader, filter: TurnFilter): Promise<AwaitedTurn[]> {
  const { officeId, userId, turn, signingSessionId, documentIds, behind, now, limit } = filter
  // SQLite keeps the order of cross joins: it would begin with the sessions of the office otherwise, and sort.
  const joined = documentIds
    ? db
        .selectFrom('session_documents as held')
        .crossJoin('signing_sessions as session')
        .crossJoin('signers as own')
        .where('held.document_id', 'in', [...documentIds])
    : db
        .selectFrom('signers as own')
        .crossJoin('signing_sessions as session')
        .crossJoin('session_documents as held')
  let query = joined
    .whereRef('session.id', '=', 'own.signing_session_id')
    .whereRef('held.signing_session_id', '=', 'own.signing_session_id')
    .where('own.user_id', '=', userId)
    .where('own.state', '=', 'pending')
    .where('own.awaited_since', '>', EPOCH)
    .where('session.office_id', '=', officeId)
    .where('session.state', '=', 'open')
    .where(({ or, eb }) =>
      or([eb('session.deadline', 'is', null), eb('session.deadline', '>', now)]),
    )
    .where(IS_UNSIGNED)
  if (signingSessionId) query = query.where('own.signing_session_id', '=', signingSessionId)
  if (behind) query = query.where('own.awaited_since', '>=', behind.since).where(isAfter(behind))
  query =
    turn === 'now'
      ? query.where(OTHERS_HAVE_BEGUN).where(sql<SqlBool>`not ${OTHERS_FIRST}`)
      : query.where(OTHERS_FIRST)
  const rows = await query
    .select(['own.signing_session_id', 'own.id as signer_id', 'held.document_id'])
    .select(['own.awaited_since', 'held.position'])
    .orderBy('own.awaited_since')
    .orderBy('own.id')
    .orderBy('held.position')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const signerId = row.signer_id as SignerId
    return {
      signingSessionId: row.signing_session_id as SigningSessionId,
      signerId,
      documentId: row.document_id as DocumentId,
      turn,
      cursor: { since: row.awaited_since, signerId, position: row.position },
    }
  })
}

/** Beside a condition on `awaited_since`, by which PostgreSQL begins in the index: this one is about two tables. */
const isAfter = ({ since, signerId, position }: TurnCursor) =>
  sql<SqlBool>`(own.awaited_since, own.id, held.position) > (${since}, ${signerId}, ${position})`

const IS_UNSIGNED = sql<SqlBool>`not exists (
  select 1 from signatures
  where signatures.session_signer_id = own.id and signatures.document_id = held.document_id)`

/** Whether a signer of a lower step has not signed the document. */
const OTHERS_FIRST = sql<SqlBool>`exists (
  select 1 from signers as other
  where other.signing_session_id = own.signing_session_id
    and other.step < own.step and other.state = 'pending'
    and not exists (
      select 1 from signatures
      where signatures.session_signer_id = other.id and signatures.document_id = held.document_id))`

/** False if it is the user's turn on no document of the session: found without a look at its documents. */
const OTHERS_HAVE_BEGUN = sql<SqlBool>`not exists (
  select 1 from signers as other
  where other.signing_session_id = own.signing_session_id
    and other.step < own.step and other.state = 'pending'
    and not exists (
      select 1 from signatures where signatures.session_signer_id = other.id))`
