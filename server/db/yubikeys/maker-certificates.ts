import { lockUntilCommit } from '#server/db/lock.ts'
import type { MakerCertificateRow } from '#server/db/tables/yubikeys.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, Sha256 } from '#server/domain/ids.ts'
import {
  MakerCertificate,
  MOST_MAKER_CERTIFICATES,
} from '#server/domain/yubikeys/maker-certificate.ts'

/** The certificates of the maker that an office knows, by name, removed ones too. */
export async function listMakerCertificates(
  db: Reader,
  officeId: OfficeId,
): Promise<MakerCertificate[]> {
  const rows = await db
    .selectFrom('maker_certificates')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('sha256')
    .limit(MOST_MAKER_CERTIFICATES)
    .execute()
  return rows.map(toCertificate).toSorted((a, b) => a.name.localeCompare(b.name, 'es-MX'))
}

/** DER of those that count. */
export async function listTrustedMakers(db: Reader, officeId: OfficeId): Promise<Uint8Array[]> {
  const all = await listMakerCertificates(db, officeId)
  return all.filter(({ state }) => state === 'trusted').map(({ der }) => der)
}

export async function findMakerCertificate(
  db: Reader,
  officeId: OfficeId,
  sha256: Sha256,
): Promise<MakerCertificate | undefined> {
  const row = await db
    .selectFrom('maker_certificates')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && toCertificate(row)
}

/** Serializes decisions about them. */
export const lockMakerCertificates = (trx: Transaction) =>
  lockUntilCommit(trx, 'maker-certificates')

/** Inserts or replaces the certificate. */
export async function upsertMakerCertificate(
  trx: Transaction,
  officeId: OfficeId,
  certificate: MakerCertificate,
): Promise<void> {
  const { sha256, ...values } = toRow(certificate)
  await trx
    .insertInto('maker_certificates')
    .values({ office_id: officeId, sha256, ...values })
    .onConflict((conflict) => conflict.columns(['office_id', 'sha256']).doUpdateSet(values))
    .execute()
}

const toCertificate = (row: MakerCertificateRow): MakerCertificate =>
  MakerCertificate.parse({
    ...row,
    der: Uint8Array.from(row.der),
    since: row.state_since,
    by: row.state_by,
  })

const toRow = ({
  sha256,
  der,
  name,
  state,
  reason,
  since,
  by,
}: MakerCertificate): Omit<MakerCertificateRow, 'office_id'> => ({
  ...{ sha256, der, name, state, reason },
  state_since: since,
  state_by: by,
})
