import type { Reader, Transaction } from '#server/db/transaction.ts'

/** By the names of their files. */
export async function listKeyFingerprints(db: Reader): Promise<Map<string, Uint8Array>> {
  const rows = await db.selectFrom('key_fingerprints').selectAll().execute()
  return new Map(rows.map(({ name, fingerprint }) => [name, Uint8Array.from(fingerprint)]))
}

/** Leaves those that are known. */
export async function insertKeyFingerprints(
  trx: Transaction,
  fingerprints: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const rows = [...fingerprints].map(([name, fingerprint]) => ({ name, fingerprint }))
  if (rows.length === 0) return
  await trx
    .insertInto('key_fingerprints')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

export async function deleteKeyFingerprints(
  trx: Transaction,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await trx.deleteFrom('key_fingerprints').where('name', 'in', names).execute()
}
