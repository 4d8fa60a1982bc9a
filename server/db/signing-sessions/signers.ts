import { markTextsOfSessionDue } from '#server/db/documents/document-texts.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { SignerRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import {
  requestedCharacterFrom,
  writtenCharacter,
} from '#server/domain/signing/session/requested-character.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { EPOCH } from '#server/domain/time.ts'

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

export async function insertSigners(trx: Transaction, signers: readonly Signer[]): Promise<void> {
  if (signers.length === 0) return
  const rows = signers.map((signer) => ({ ...toRow(signer), ...UNAWAITED }))
  await trx.insertInto('signers').values(rows).execute()
  for (const id of new Set(signers.map(({ signingSessionId }) => signingSessionId))) {
    await markAwaited(trx, id)
    await markTextsOfSessionDue(trx, id)
  }
}

/** Of a session that is not open. */
const UNAWAITED = { awaited_since: EPOCH, turn_since: EPOCH, reminder_due: EPOCH }

/**
 * Notes with the signers since when their session awaits them, so that the turns of a user are found in order. To be called
 * after each change of the session's state.
 */
export async function markAwaited(trx: Transaction, id: SigningSessionId): Promise<void> {
  const session = await trx
    .selectFrom('signing_sessions')
    .select('created_at')
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  await trx
    .updateTable('signers')
    .set({ awaited_since: session?.created_at ?? EPOCH })
    .where('signing_session_id', '=', id)
    .execute()
}

/** Deletes all signers of a draft session. */
export async function removeSigners(trx: Transaction, id: SigningSessionId): Promise<void> {
  await trx.deleteFrom('signers').where('signing_session_id', '=', id).execute()
  await markTextsOfSessionDue(trx, id)
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
    stateProof: row.state_proof,
    replacedBy: row.replaced_by,
    remindedAt: row.reminded_at,
  })
}

const toRow = (signer: Signer): Omit<SignerRow, keyof typeof UNAWAITED> => ({
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
  state_proof: signer.stateProof,
  replaced_by: signer.replacedBy,
  reminded_at: signer.remindedAt,
})
