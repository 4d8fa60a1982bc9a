import type { PresenceProofRow } from '#server/db/tables/presence.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { AuditAction } from '#server/domain/audit/event.ts'
import { type DocumentId, PresenceProofId, type UserId } from '#server/domain/ids.ts'
import { digestOfList, PresenceProof, readCanonicalList } from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'

/** The user's unexpired proofs, newest first. */
export async function listLivePresence(
  db: Reader,
  userId: UserId,
  now: Instant,
): Promise<PresenceProof[]> {
  const rows = await db
    .selectFrom('presence_proofs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toProof)
}

/** The proofs for this document, oldest first. */
export async function listPresenceOf(db: Reader, documentId: DocumentId): Promise<PresenceProof[]> {
  const rows = await db
    .selectFrom('presence_proofs')
    .innerJoin('presence_proof_documents', 'proof_id', 'id')
    .selectAll('presence_proofs')
    .where('document_id', '=', documentId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(toProof)
}

/** Proofs of every office, oldest first: a page after `last`. */
export async function listPresenceProofs(
  db: Reader,
  last: Pick<PresenceProof, 'at' | 'id'> | undefined,
  limit: number,
): Promise<PresenceProof[]> {
  let query = db.selectFrom('presence_proofs').selectAll()
  if (last)
    query = query.where((eb) =>
      eb.or([eb('at', '>', last.at), eb.and([eb('at', '=', last.at), eb('id', '>', last.id)])]),
    )
  const rows = await query.orderBy('at').orderBy('id').limit(limit).execute()
  return rows.map(toProof)
}

/** Proofs that the log mentions but that no longer exist. */
export async function listLostPresence(db: Reader): Promise<PresenceProofId[]> {
  const action: AuditAction = 'presence.proven'
  const rows = await db
    .selectFrom('audit_events')
    .leftJoin('presence_proofs', 'presence_proofs.id', 'audit_events.subject_id')
    .select('audit_events.subject_id as id')
    .where('audit_events.action', '=', action)
    .where('presence_proofs.id', 'is', null)
    .orderBy('audit_events.seq')
    .execute()
  return rows.map(({ id }) => PresenceProofId.parse(id))
}

/** @throws when its challenge was used for another proof */
export async function insertPresenceProof(trx: Transaction, proof: PresenceProof): Promise<void> {
  const list = readCanonicalList(proof.list)
  if (!list) throw new Error(`the list of ${proof.id} is not canonical`)
  await trx.insertInto('presence_proofs').values(toRow(proof)).execute()
  await trx
    .insertInto('presence_proof_documents')
    .values(list.map(({ document }) => ({ proof_id: proof.id, document_id: document })))
    .execute()
}

function toProof(row: PresenceProofRow): PresenceProof {
  return PresenceProof.parse({
    id: row.id,
    officeId: row.office_id,
    userId: row.user_id,
    list: Uint8Array.from(row.list),
    at: row.at,
    expiresAt: row.expires_at,
    means:
      row.method === 'totp'
        ? { method: 'totp', factorId: row.factor_id, timeStep: row.time_step }
        : {
            method: row.method,
            nonce: bytes(row.nonce),
            challenge: row.challenge,
            rpId: row.rp_id,
            origin: row.origin,
            credentialId: row.credential_id,
            publicKey: bytes(row.public_key),
            counterBefore: row.counter_before,
            clientDataJson: bytes(row.client_data),
            authenticatorData: bytes(row.authenticator_data),
            signature: bytes(row.signature),
          },
  })
}

const bytes = (value: Uint8Array | null) => value && Uint8Array.from(value)

function toRow({ means, ...proof }: PresenceProof): PresenceProofRow {
  const key = means.method === 'webauthn' ? means : undefined
  const code = means.method === 'totp' ? means : undefined
  return {
    id: proof.id,
    office_id: proof.officeId,
    user_id: proof.userId,
    method: means.method,
    list: proof.list,
    list_sha256: digestOfList(proof.list),
    at: proof.at,
    expires_at: proof.expiresAt,
    nonce: key?.nonce ?? null,
    challenge: key?.challenge ?? null,
    rp_id: key?.rpId ?? null,
    origin: key?.origin ?? null,
    credential_id: key?.credentialId ?? null,
    public_key: key?.publicKey ?? null,
    counter_before: key?.counterBefore ?? null,
    client_data: key?.clientDataJson ?? null,
    authenticator_data: key?.authenticatorData ?? null,
    signature: key?.signature ?? null,
    factor_id: code?.factorId ?? null,
    time_step: code?.timeStep ?? null,
  }
}
