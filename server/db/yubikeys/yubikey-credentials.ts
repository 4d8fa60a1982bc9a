import type { Reader, Transaction } from '#server/db/transaction.ts'
import { type UserId, WebauthnCredentialId, YubikeyId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The credentials that the key holds, whatever their state. */
export async function listYubikeyCredentials(
  db: Reader,
  yubikeyId: YubikeyId,
): Promise<WebauthnCredentialId[]> {
  const rows = await db
    .selectFrom('yubikey_credentials')
    .select('credential_id')
    .where('yubikey_id', '=', yubikeyId)
    .orderBy('credential_id')
    .execute()
  return rows.map(({ credential_id }) => WebauthnCredentialId.parse(credential_id))
}

/** Which key holds each of these credentials; without those that none is linked with. */
export async function findKeysOfCredentials(
  db: Reader,
  credentialIds: readonly WebauthnCredentialId[],
): Promise<Map<WebauthnCredentialId, YubikeyId>> {
  if (credentialIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('yubikey_credentials')
    .select(['credential_id', 'yubikey_id'])
    .where('credential_id', 'in', credentialIds)
    .execute()
  return new Map(
    rows.map(({ credential_id, yubikey_id }) => [
      WebauthnCredentialId.parse(credential_id),
      YubikeyId.parse(yubikey_id),
    ]),
  )
}

/** False if a key holds the credential already. */
export async function linkYubikeyCredential(
  trx: Transaction,
  yubikeyId: YubikeyId,
  credentialId: WebauthnCredentialId,
  { at, by }: { at: Instant; by: UserId },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('yubikey_credentials')
    .values({ credential_id: credentialId, yubikey_id: yubikeyId, at, by_user: by })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('credential_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False if the key does not hold the credential. */
export async function unlinkYubikeyCredential(
  trx: Transaction,
  yubikeyId: YubikeyId,
  credentialId: WebauthnCredentialId,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('yubikey_credentials')
    .where('credential_id', '=', credentialId)
    .where('yubikey_id', '=', yubikeyId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** The key no longer holds any credential. */
export async function unlinkYubikeyCredentials(
  trx: Transaction,
  yubikeyId: YubikeyId,
): Promise<void> {
  await trx.deleteFrom('yubikey_credentials').where('yubikey_id', '=', yubikeyId).execute()
}
