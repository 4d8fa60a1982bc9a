import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { YubikeyId } from '#server/domain/ids.ts'

/** An attestation as it came. Never changed: a later one of the same slot stands beside it. */
export type StoredAttestation = {
  yubikeyId: YubikeyId
  /** Of the change of the key that added it. */
  version: number
  /** `9c` */
  slot: string
  /** Certificates as PEM: the statement first, then those that came with it. */
  certificates: Uint8Array
}

export async function insertYubikeyAttestation(
  trx: Transaction,
  { yubikeyId, version, slot, certificates }: StoredAttestation,
): Promise<void> {
  await trx
    .insertInto('yubikey_attestations')
    .values({ yubikey_id: yubikeyId, version, slot, certificates })
    .execute()
}

/** The attestations of a key, newest first. */
export async function listYubikeyAttestations(
  db: Reader,
  yubikeyId: YubikeyId,
  limit: number,
): Promise<StoredAttestation[]> {
  const rows = await db
    .selectFrom('yubikey_attestations')
    .selectAll()
    .where('yubikey_id', '=', yubikeyId)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ version, slot, certificates }) => ({
    ...{ yubikeyId, version, slot },
    certificates: Uint8Array.from(certificates),
  }))
}
