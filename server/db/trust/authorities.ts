import { lockUntilCommit } from '#server/db/lock.ts'
import type { AuthorityRow } from '#server/db/tables/trust.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Sha256, type UserId } from '#server/domain/ids.ts'
import {
  AuthorityState,
  type KnownAuthority,
  OcspAddresses,
  RevocationDemand,
} from '#server/domain/trust/known-authority.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'

/** All authorities ever imported, by fingerprint. */
export async function listAuthorities(db: Reader): Promise<KnownAuthority[]> {
  const rows = await db.selectFrom('authorities').selectAll().orderBy('sha256').execute()
  return rows.map(toAuthority)
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
    .where('state', 'in', ['pinned', 'accepted'])
    .orderBy('sha256')
    .execute()
  return JSON.stringify(rows)
}

/** Serializes decisions about authorities. */
export const lockAuthorities = (trx: Transaction) => lockUntilCommit(trx, 'authorities')

/** Inserts or replaces the authority. */
export async function replaceAuthority(trx: Transaction, authority: KnownAuthority): Promise<void> {
  const { sha256, ...values } = toRow(authority)
  await trx
    .insertInto('authorities')
    .values({ sha256, ...values })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(values))
    .execute()
}

function toAuthority(row: AuthorityRow): KnownAuthority {
  return {
    sha256: Sha256.parse(row.sha256),
    certificate: readCertificate(Uint8Array.from(row.der)),
    state: AuthorityState.parse(row.state),
    revocation: RevocationDemand.parse(row.revocation),
    ocsp: OcspAddresses.parse(JSON.parse(row.ocsp)),
    reason: row.reason,
    since: row.state_since,
    by: row.state_by as UserId | null,
  }
}

function toRow(authority: KnownAuthority): AuthorityRow {
  return {
    sha256: authority.sha256,
    der: authority.certificate.der,
    state: authority.state,
    revocation: authority.revocation,
    ocsp: JSON.stringify(authority.ocsp),
    reason: authority.reason,
    state_since: authority.since,
    state_by: authority.by,
  }
}
