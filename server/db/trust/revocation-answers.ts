import { inChunks } from '#server/db/in-chunks.ts'
import type { RevocationAnswerRow } from '#server/db/tables/trust.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { type Instant, instantOf } from '#server/domain/time.ts'

/** An authority's answer about a certificate, as received. Only verified answers are stored. */
export type KeptAnswer = {
  status: 'good' | 'revoked'
  /** An OCSPResponse. */
  der: Uint8Array
  fetchedAt: Instant
  nextUpdate: Instant | undefined
}

export type AboutCertificate = { certificate: Sha256; issuer: Sha256 }

/** The newest answer of each status. */
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
  return rows.map(toAnswer)
}

/** The newest answer of each status about each of the certificates, in the order of the pairs. */
export async function listAnswersAboutPairs(
  db: Reader,
  pairs: readonly AboutCertificate[],
): Promise<KeptAnswer[]> {
  const wanted = pairs.map(({ certificate }) => certificate)
  const rows = await inChunks(wanted, (chunk) =>
    db
      .selectFrom('revocation_answers')
      .select(['certificate_sha256', 'issuer_sha256', 'status', 'der', 'fetched_at', 'next_update'])
      .where('certificate_sha256', 'in', chunk)
      .orderBy('fetched_at', 'desc')
      .execute(),
  )
  const keyOf = (certificate: string, issuer: string) => `${certificate} ${issuer}`
  const groups = Map.groupBy(rows, (row) => keyOf(row.certificate_sha256, row.issuer_sha256))
  return pairs.flatMap(({ certificate, issuer }) =>
    (groups.get(keyOf(certificate, issuer)) ?? []).map(toAnswer),
  )
}

const toAnswer = (
  row: Omit<RevocationAnswerRow, 'certificate_sha256' | 'issuer_sha256'>,
): KeptAnswer => ({
  status: row.status === 'revoked' ? 'revoked' : 'good',
  der: Uint8Array.from(row.der),
  fetchedAt: row.fetched_at,
  nextUpdate: row.next_update ?? undefined,
})

/** The answers about those of these certificates that any issuer ever reported as revoked. */
export async function listAnswersAboutRevoked(
  db: Reader,
  certificates: readonly Sha256[],
): Promise<ReadonlyMap<Sha256, KeptAnswer[]>> {
  const revoked = await inChunks(certificates, (chunk) =>
    db
      .selectFrom('revocation_answers')
      .select('certificate_sha256')
      .where('certificate_sha256', 'in', chunk)
      .where('status', '=', 'revoked')
      .execute(),
  )
  const rows = await inChunks(
    revoked.map((row) => row.certificate_sha256),
    (chunk) =>
      db
        .selectFrom('revocation_answers')
        .select(['certificate_sha256', 'status', 'der', 'fetched_at', 'next_update'])
        .where('certificate_sha256', 'in', chunk)
        .execute(),
  )
  const groups = Map.groupBy(rows, (row) => row.certificate_sha256 as Sha256)
  return new Map([...groups].map(([certificate, all]) => [certificate, all.map(toAnswer)]))
}

/** When an issuer last answered about each of these certificates; without those that no answer is kept about. */
export async function findNewestAnswerTimes(
  db: Reader,
  certificates: readonly Sha256[],
): Promise<ReadonlyMap<Sha256, Instant>> {
  const rows = await inChunks(certificates, (chunk) =>
    db
      .selectFrom('revocation_answers')
      .select(['certificate_sha256', (of) => of.fn.max('fetched_at').as('newest')])
      .where('certificate_sha256', 'in', chunk)
      .groupBy('certificate_sha256')
      .execute(),
  )
  return new Map(
    rows.map(({ certificate_sha256, newest }) => [
      certificate_sha256 as Sha256,
      instantOf(Number(newest)),
    ]),
  )
}

/** Stores the answer in place of an older one with the same status. */
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
