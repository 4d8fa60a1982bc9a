import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { AuthorityRow } from '#server/db/tables/trust.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Sha256, type UserId } from '#server/domain/ids.ts'
import {
  type AuthorityStanding,
  AuthorityState,
  INSTALLATION,
  type KnownAuthority,
  OcspAddresses,
  RevocationDemand,
  type StoredAuthority,
  TRUSTED_STATES,
  type TrustScope,
} from '#server/domain/trust/known-authority.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'

/** All authorities ever imported that count in the scope, by fingerprint, without their certificates. */
export async function listAuthorities(db: Reader, scope: TrustScope): Promise<AuthorityStanding[]> {
  const rows = await rowsOf(db, scope)
    .select(['scope', ...STANDING])
    .execute()
  return thoseThatCount(rows).map(toStanding)
}

/** Those that are trusted in the scope, by fingerprint. */
export async function listTrusted(db: Reader, scope: TrustScope): Promise<KnownAuthority[]> {
  const rows = await rowsOf(db, scope).selectAll().execute()
  return thoseThatCount(rows).filter(isTrusted).map(toAuthority)
}

/** DER of their certificates. */
export async function findAuthorityCertificates(
  db: Reader,
  scope: TrustScope,
  fingerprints: readonly Sha256[],
): Promise<ReadonlyMap<Sha256, Uint8Array>> {
  const rows = await inChunks(fingerprints, (chunk) =>
    rowsOf(db, scope).select(['sha256', 'der']).where('sha256', 'in', chunk).execute(),
  )
  return new Map(rows.map(({ sha256, der }) => [Sha256.parse(sha256), Uint8Array.from(der)]))
}

/** As it stands in the scope. */
export async function findAuthority(
  db: Reader,
  scope: TrustScope,
  sha256: Sha256,
): Promise<KnownAuthority | undefined> {
  const rows = await rowsOf(db, scope).selectAll().where('sha256', '=', sha256).execute()
  return thoseThatCount(rows).map(toAuthority)[0]
}

/** Changes whenever an authority that is trusted in the scope, or its OCSP addresses, change. */
export async function versionOfTrust(db: Reader, scope: TrustScope): Promise<string> {
  const rows = await rowsOf(db, scope)
    .select(['scope', 'sha256', 'state', 'revocation', 'ocsp'])
    .execute()
  const trusted = thoseThatCount(rows).filter(isTrusted)
  return JSON.stringify(trusted.map(({ scope: _, ...row }) => row))
}

/** The rows of the scope and, for an office, of the installation; the office's own first. */
const rowsOf = (db: Reader, scope: TrustScope) =>
  db
    .selectFrom('authorities')
    .where('scope', 'in', [...new Set([scope, INSTALLATION])])
    .orderBy(({ eb }) => eb.case().when('scope', '=', scope).then(0).else(1).end())
    .orderBy('sha256')

/** Of two rows about one authority the office's own counts, also if it says that it is not trusted. */
function thoseThatCount<Row extends Pick<AuthorityRow, 'sha256'>>(rows: readonly Row[]): Row[] {
  const counting = new Map<string, Row>()
  for (const row of rows) if (!counting.has(row.sha256)) counting.set(row.sha256, row)
  return [...counting.values()].toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
}

const isTrusted = ({ state }: Pick<AuthorityRow, 'state'>) =>
  TRUSTED_STATES.includes(AuthorityState.parse(state))

/** Serializes decisions about authorities. */
export const lockAuthorities = (trx: Transaction) => lockUntilCommit(trx, 'authorities')

/** Inserts or replaces the authority in the scope. */
export async function replaceAuthority(
  trx: Transaction,
  scope: TrustScope,
  authority: StoredAuthority,
): Promise<void> {
  const { sha256, ...values } = toRow(authority)
  await trx
    .insertInto('authorities')
    .values({ scope, sha256, ...values })
    .onConflict((conflict) => conflict.columns(['scope', 'sha256']).doUpdateSet(values))
    .execute()
}

/**
 * Deletes the oldest authorities of the scope about which nothing was decided.
 *
 * @param most how many
 * @param except fingerprints of those that stay
 * @returns how many there were
 */
export async function deleteOffered(
  trx: Transaction,
  scope: TrustScope,
  { most, except }: { most: number; except: readonly Sha256[] },
): Promise<number> {
  const rows = await trx
    .selectFrom('authorities')
    .select('sha256')
    .where('scope', '=', scope)
    .where('state', '=', 'offered')
    .orderBy('state_since')
    .orderBy('sha256')
    .execute()
  const kept = new Set<string>(except)
  const oldest = rows.filter(({ sha256 }) => !kept.has(sha256)).slice(0, most)
  for (const { sha256 } of oldest)
    await trx
      .deleteFrom('authorities')
      .where('scope', '=', scope)
      .where('sha256', '=', sha256)
      .execute()
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

const toAuthority = ({ der, ...row }: Omit<AuthorityRow, 'scope'>): KnownAuthority => ({
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

const toRow = (authority: StoredAuthority): Omit<AuthorityRow, 'scope'> => ({
  sha256: authority.sha256,
  der: authority.certificate.der,
  state: authority.state,
  revocation: authority.revocation,
  ocsp: JSON.stringify(authority.ocsp),
  reason: authority.reason,
  state_since: authority.since,
  state_by: authority.by,
})
