import { inChunks } from '#server/db/in-chunks.ts'
import type { SignerRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, SignerId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import {
  requestedCharacterFrom,
  writtenCharacter,
} from '#server/domain/signing/session/requested-character.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'

export async function findSigner(db: Reader, id: SignerId): Promise<Signer | undefined> {
  return (await findSigners(db, [id])).get(id)
}

/** The existing signers by id. */
export async function findSigners(
  db: Reader,
  ids: Iterable<SignerId>,
): Promise<Map<SignerId, Signer>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('signers').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toSigner).map((signer) => [signer.id, signer]))
}

/** The signers of the session by position, including replaced ones. */
export async function listSigners(db: Reader, id: SigningSessionId): Promise<Signer[]> {
  return (await listSignersOf(db, [id])).get(id) ?? []
}

/** The same for several sessions; a session without signers is absent. */
export async function listSignersOf(
  db: Reader,
  ids: Iterable<SigningSessionId>,
): Promise<Map<SigningSessionId, Signer[]>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('signers')
      .selectAll()
      .where('signing_session_id', 'in', chunk)
      .orderBy('place')
      .orderBy('id')
      .execute(),
  )
  return Map.groupBy(rows.map(toSigner), ({ signingSessionId }) => signingSessionId)
}

/** Sessions in which this user has documents left to sign, oldest first. */
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

export async function insertSigners(trx: Transaction, signers: readonly Signer[]): Promise<void> {
  if (signers.length === 0) return
  await trx.insertInto('signers').values(signers.map(toRow)).execute()
}

/** Deletes all signers of a draft session. */
export async function removeSigners(trx: Transaction, id: SigningSessionId): Promise<void> {
  await trx.deleteFrom('signers').where('signing_session_id', '=', id).execute()
}

/** Compare-and-swap on the state: false if the signer is no longer as `seen`. */
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
    character: requestedCharacterFrom(row.character),
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
  character: writtenCharacter(signer.character),
  state: signer.state,
  state_since: signer.stateSince,
  state_reason: signer.stateReason,
  replaced_by: signer.replacedBy,
  reminded_at: signer.remindedAt,
})
