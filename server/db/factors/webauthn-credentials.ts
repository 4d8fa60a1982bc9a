import { inChunks } from '#server/db/in-chunks.ts'
import type { WebauthnCredentialRow } from '#server/db/tables/factors.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  type KeyState,
  WebauthnCredential,
  type WebauthnCredentialState,
} from '#server/domain/identity/webauthn-credential.ts'
import type { UserId, WebauthnCredentialId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function findWebauthnCredential(
  db: Reader,
  id: WebauthnCredentialId,
): Promise<WebauthnCredential | undefined> {
  return (await findWebauthnCredentials(db, [id])).get(id)
}

/** The existing keys by id, including removed ones. */
export async function findWebauthnCredentials(
  db: Reader,
  ids: Iterable<WebauthnCredentialId>,
): Promise<Map<WebauthnCredentialId, WebauthnCredential>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('webauthn_credentials').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toCredential).map((credential) => [credential.id, credential]))
}

/** Finds a key by the credential id of the authenticator; includes removed ones. */
export async function findByCredentialId(
  db: Reader,
  credentialId: string,
): Promise<WebauthnCredential | undefined> {
  const row = await db
    .selectFrom('webauthn_credentials')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && toCredential(row)
}

/** The user's keys, including suspect but not removed ones, oldest first. */
export async function listWebauthnCredentials(
  db: Reader,
  userId: UserId,
): Promise<WebauthnCredential[]> {
  const rows = await db
    .selectFrom('webauthn_credentials')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '!=', 'removed')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toCredential)
}

/**
 * Returns false if the credential id is registered already, for any user.
 *
 * @param attestation attestation object, as the browser sent it
 */
export async function insertWebauthnCredential(
  trx: Transaction,
  credential: WebauthnCredential,
  attestation: Uint8Array,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('webauthn_credentials')
    .values(toRow(credential, attestation))
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Stores the counter and flags of a key's use. Compare-and-swap: false if the key was removed or its counter
 * advanced meanwhile. The counter never decreases.
 */
export async function replaceKeyState(
  trx: Transaction,
  id: WebauthnCredentialId,
  seen: KeyState,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webauthn_credentials')
    .set({ counter: seen.counter, backup: seen.backup, last_used_at: at })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('counter', '=', 0), eb('counter', '<', seen.counter)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns false if the key was removed meanwhile. */
export async function replaceWebauthnCredentialName(
  trx: Transaction,
  id: WebauthnCredentialId,
  name: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webauthn_credentials')
    .set({ name })
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Compare-and-swap: false if the key was in none of the states `from`.
 *
 * @param by null for the system
 */
export async function replaceWebauthnCredentialState(
  trx: Transaction,
  id: WebauthnCredentialId,
  from: readonly WebauthnCredentialState[],
  to: WebauthnCredentialState,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webauthn_credentials')
    .set({ state: to, state_since: at, state_by: by })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes all keys of a user; returns their number. */
export async function endWebauthnCredentialsOf(
  trx: Transaction,
  userId: UserId,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webauthn_credentials')
    .set({ state: 'removed', state_since: at, state_by: by })
    .where('user_id', '=', userId)
    .where('state', '!=', 'removed')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

function toCredential(row: WebauthnCredentialRow): WebauthnCredential {
  return WebauthnCredential.parse({
    ...row,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: Uint8Array.from(row.public_key),
    transports: JSON.parse(row.transports),
    deviceType: row.device_type,
    userVerification: row.user_verification,
    rpId: row.rp_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    stateSince: row.state_since,
    stateBy: row.state_by,
  })
}

function toRow(credential: WebauthnCredential, attestation: Uint8Array): WebauthnCredentialRow {
  return {
    id: credential.id,
    user_id: credential.userId,
    credential_id: credential.credentialId,
    public_key: credential.publicKey,
    algorithm: credential.algorithm,
    counter: credential.counter,
    transports: JSON.stringify(credential.transports),
    aaguid: credential.aaguid,
    device_type: credential.deviceType,
    backup: credential.backup,
    user_verification: credential.userVerification,
    attestation,
    rp_id: credential.rpId,
    name: credential.name,
    created_at: credential.createdAt,
    last_used_at: credential.lastUsedAt,
    state: credential.state,
    state_since: credential.stateSince,
    state_by: credential.stateBy,
  }
}
