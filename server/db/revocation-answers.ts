import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Reader, Transaction } from './transaction.ts'

/** An authority's word about a certificate, as it came. Only what was proven to be its word is kept. */
export type KeptAnswer = {
  status: 'good' | 'revoked'
  /** An OCSPResponse. */
  der: Uint8Array
  fetchedAt: Instant
  nextUpdate: Instant | undefined
}

export type AboutCertificate = { certificate: Sha256; issuer: Sha256 }

/** The newest answer of each kind. */
export async function listRevocationAnswers(
  db: Reader,
  { certificate, issuer }: AboutCertificate,
): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('revocation_answers')
    .select(['status', 'der', 'fetched_at', 'next_update'])
    .where('certificate_sha256', '=', certificate)
    .where('issuer_sha256', '=', issuer)
    .orderBy('fetched_at', 'desc')
    .execute()
  return rows.map((row) => ({
    status: row.status === 'revoked' ? 'revoked' : 'good',
    der: Uint8Array.from(row.der),
    fetchedAt: row.fetched_at as Instant,
    nextUpdate: row.next_update === null ? undefined : (row.next_update as Instant),
  }))
}

/** Keeps the answer in the place of an older one that says the same. */
export async function replaceRevocationAnswer(
  trx: Transaction,
  { certificate, issuer }: AboutCertificate,
  { status, der, fetchedAt, nextUpdate }: KeptAnswer,
): Promise<void> {
  const values = { der, fetched_at: fetchedAt, next_update: nextUpdate ?? null }
  await trx
    .insertInto('revocation_answers')
    .values({ certificate_sha256: certificate, issuer_sha256: issuer, status, ...values })
    .onConflict((conflict) =>
      conflict.columns(['certificate_sha256', 'issuer_sha256', 'status']).doUpdateSet(values),
    )
    .execute()
}
