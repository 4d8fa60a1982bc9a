import type { SignerRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  type DocumentId,
  type OfficeId,
  SignerId,
  type SigningSessionId,
  type UserId,
} from '#server/domain/ids.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import type { SignedBy } from '#server/domain/signing/session/turns.ts'

export async function findSigner(db: Reader, id: SignerId): Promise<Signer | undefined> {
  const row = await db.selectFrom('signers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSigner(row)
}

/** By their place; those who were replaced, too. */
export async function listSigners(db: Reader, id: SigningSessionId): Promise<Signer[]> {
  const rows = await db
    .selectFrom('signers')
    .selectAll()
    .where('signing_session_id', '=', id)
    .orderBy('place')
    .orderBy('id')
    .execute()
  return rows.map(toSigner)
}

/** The same, and which of them signed this document of the session. */
export async function listSignersFor(
  db: Reader,
  id: SigningSessionId,
  documentId: DocumentId,
): Promise<{ signers: Signer[]; signedBy: SignedBy }> {
  const rows = await db
    .selectFrom('signers')
    .leftJoin('signatures', (join) =>
      join
        .onRef('signatures.session_signer_id', '=', 'signers.id')
        .on('signatures.document_id', '=', documentId),
    )
    .selectAll('signers')
    .select('signatures.id as signature_id')
    .where('signing_session_id', '=', id)
    .orderBy('place')
    .orderBy('signers.id')
    .execute()
  const signers = new Map(rows.map((row) => [row.id, toSigner(row)]))
  const signed = rows.filter(({ signature_id }) => signature_id !== null)
  return {
    signers: [...signers.values()],
    signedBy: new Set(signed.map(({ id }) => SignerId.parse(id))),
  }
}

/** The sessions of which this user still has to sign something, the oldest first. */
export async function listSessionsAwaiting(
  db: Reader,
  officeId: OfficeId,
  userId: UserId,
  limit: number,
): Promise<SigningSessionId[]> {
  const rows = await db
    .selectFrom('signers')
    .innerJoin('signing_sessions', 'signing_sessions.id', 'signers.signing_session_id')
    .select(['signing_sessions.id', 'signing_sessions.created_at'])
    .distinct()
    .where('signing_sessions.office_id', '=', officeId)
    .where('signers.user_id', '=', userId)
    .where('signers.state', '=', 'pending')
    .where('signing_sessions.state', '=', 'open')
    .orderBy('signing_sessions.created_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id as SigningSessionId)
}

export async function insertSigner(trx: Transaction, signer: Signer): Promise<void> {
  await trx.insertInto('signers').values(toRow(signer)).execute()
}

/** All of a session that was not opened yet. */
export async function removeSigners(trx: Transaction, id: SigningSessionId): Promise<void> {
  await trx.deleteFrom('signers').where('signing_session_id', '=', id).execute()
}

/** Compare-and-swap on the state: false when the signer is no longer as `seen`. */
export async function replaceSigner(
  trx: Transaction,
  seen: Pick<Signer, 'state'>,
  next: Signer,
): Promise<boolean> {
  const { id, signing_session_id, place, ...changing } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('signers')
    .set(changing)
    .where('id', '=', next.id)
    .where('state', '=', seen.state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toSigner(row: SignerRow): Signer {
  return Signer.parse({
    ...row,
    signingSessionId: row.signing_session_id,
    userId: row.user_id,
    stateSince: row.state_since,
    stateReason: row.state_reason,
    replacedBy: row.replaced_by,
    remindedAt: row.reminded_at,
  })
}

const toRow = (signer: Signer): SignerRow => ({
  id: signer.id,
  signing_session_id: signer.signingSessionId,
  place: signer.place,
  step: signer.step,
  user_id: signer.userId,
  name: signer.name,
  email: signer.email,
  rfc: signer.rfc,
  character: signer.character,
  state: signer.state,
  state_since: signer.stateSince,
  state_reason: signer.stateReason,
  replaced_by: signer.replacedBy,
  reminded_at: signer.remindedAt,
})
