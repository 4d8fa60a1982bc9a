import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { AuthorityRow } from '#server/db/tables/trust.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Sha256, type UserId } from '#server/domain/ids.ts'
import {
  type AuthorityStanding,
  AuthorityState,
  type KnownAuthority,
  MOST_AUTHORITIES,
  OcspAddresses,
  RevocationDemand,
  type StoredAuthority,
  TRUSTED_STATES,
} from '#server/domain/trust/known-authority.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'

/** All authorities ever imported, without their certificates; at most `MOST_AUTHORITIES`. */
export async function listAuthorities(db: Reader): Promise<AuthorityStanding[]> {
  const rows = await db
    .selectFrom('authorities')
    .select(STANDING)
    .orderBy('sha256')
    .limit(MOST_AUTHORITIES)
    .execute()
  return rows.map(toStanding)
}

/** Those that are trusted, by fingerprint. */
export async function listTrusted(db: Reader): Promise<KnownAuthority[]> {
  const rows = await db
    .selectFrom('authorities')
    .selectAll()
    .where('state', 'in', TRUSTED_STATES)
    .orderBy('sha256')
    .limit(MOST_AUTHORITIES)
    .execute()
  return rows.map(toAuthority)
}

/** DER of their certificates. */
export async function findAuthorityCertificates(
  db: Reader,
  fingerprints: readonly Sha256[],
): Promise<ReadonlyMap<Sha256, Uint8Array>> {
  const rows = await inChunks(fingerprints, (chunk) =>
    db.selectFrom('authorities').select(['sha256', 'der']).where('sha256', 'in', chunk).execute(),
  )
  return new Map(rows.map(({ sha256, der }) => [Sha256.parse(sha256), Uint8Array.from(der)]))
}

export async function findAuthority(
  db: Reader,
  sha256: Sha256,
): Promise<KnownAuthority | undefined> {
  const row = await db
    .selectFrom('authorities')
    .selectAll()
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && toAuthority(row)
}

/** Changes whenever a trusted authority or its OCSP addresses change. */
export async function versionOfTrust(db: Reader): Promise<string> {
  const rows = await db
    .selectFrom('authorities')
    .select(['sha256', 'state', 'revocation', 'ocsp'])
    .where('state', 'in', TRUSTED_STATES)
    .orderBy('sha256')
    .execute()
  return JSON.stringify(rows)
}

/** Serializes decisions about authorities. */
export const lockAuthorities = (trx: Transaction) => lockUntilCommit(trx, 'authorities')

/** Inserts or replaces the authority. */
export async function replaceAuthority(
  trx: Transaction,
  authority: StoredAuthority,
): Promise<void> {
  const { sha256, ...values } = toRow(authority)
  await trx
    .insertInto('authorities')
    .values({ sha256, ...values })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(values))
    .execute()
}

/**
 * Deletes the oldest authorities about which nothing was decided.
 *
 * @param most how many
 * @param except fingerprints of those that stay
 * @returns how many there were
 */
export async function deleteOffered(
  trx: Transaction,
  { most, except }: { most: number; except: readonly Sha256[] },
): Promise<number> {
  const rows = await trx
    .selectFrom('authorities')
    .select('sha256')
    .where('state', '=', 'offered')
    .orderBy('state_since')
    .orderBy('sha256')
    .execute()
  const kept = new Set<string>(except)
  const oldest = rows.filter(({ sha256 }) => !kept.has(sha256)).slice(0, most)
  for (const { sha256 } of oldest)
    await trx.deleteFrom('authorities').where('sha256', '=', sha256).execute()
  return oldest.length
}

const STANDING = [
  'sha256',
  'state',
  'revocation',
  'ocsp',
  'reason',
  'state_since',
  'state_by',
] as const satisfies (keyof AuthorityRow)[]

const toAuthority = ({ der, ...row }: AuthorityRow): KnownAuthority => ({
  ...toStanding(row),
  certificate: readCertificate(Uint8Array.from(der)),
})

const toStanding = (row: Pick<AuthorityRow, (typeof STANDING)[number]>): AuthorityStanding => ({
  sha256: Sha256.parse(row.sha256),
  state: AuthorityState.parse(row.state),
  revocation: RevocationDemand.parse(row.revocation),
  ocsp: OcspAddresses.parse(JSON.parse(row.ocsp)),
  reason: row.reason,
  since: row.state_since,
  by: row.state_by as UserId | null,
})

const toRow = (authority: StoredAuthority): AuthorityRow => ({
  sha256: authority.sha256,
  der: authority.certificate.der,
  state: authority.state,
  revocation: authority.revocation,
  ocsp: JSON.stringify(authority.ocsp),
  reason: authority.reason,
  state_since: authority.since,
  state_by: authority.by,
})
