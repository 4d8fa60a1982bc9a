import { sql } from 'kysely'
import { isAfterCursor } from '#server/db/after-cursor.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { CertificateRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unionOf } from '#server/db/union-of.ts'
import { CertificateEntry, HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { CertificateId, OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { Instant } from '#server/domain/time.ts'

/** The existing certificates by id. */
export async function findCertificates(
  db: Reader,
  ids: Iterable<CertificateId>,
): Promise<Map<CertificateId, HeldCertificate>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('certificates').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toCertificate).map((certificate) => [certificate.id, certificate]))
}

/** The office's entry for the certificate with this fingerprint. */
async function findCertificateBySha256(
  db: Reader,
  officeId: OfficeId,
  sha256: Sha256,
): Promise<HeldCertificate | undefined> {
  const row = await db
    .selectFrom('certificates')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && toCertificate(row)
}

const ENTRY = [
  'id',
  'sha256',
  'kind',
  'rfc',
  'name',
  'number',
  'not_before',
  'not_after',
  'user_id',
  'provenance',
] as const satisfies (keyof CertificateRow)[]

/** The office's certificates, latest expiry first. */
export async function listCertificates(
  db: Reader,
  filter: {
    officeId: OfficeId
    /** First and last expiry. */
    from?: Instant | undefined
    until?: Instant | undefined
    behind?: PageCursor<CertificateId> | undefined
    limit: number
  },
): Promise<CertificateEntry[]> {
  const { officeId, from, until, behind, limit } = filter
  let query = db.selectFrom('certificates').select(ENTRY).where('office_id', '=', officeId)
  if (from !== undefined) query = query.where('not_after', '>=', from)
  if (until !== undefined) query = query.where('not_after', '<=', until)
  if (behind) query = query.where(isAfterCursor(behind, 'not_after'))
  const rows = await query.orderBy('not_after', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toEntry)
}

/** The office's certificates that end within this time, the next to end first. */
export async function listEndingCertificates(
  db: Reader,
  ending: {
    officeId: OfficeId
    from: Instant
    until: Instant
    behind?: PageCursor<CertificateId> | undefined
    limit: number
  },
): Promise<CertificateEntry[]> {
  const { officeId, from, until, behind, limit } = ending
  let query = db
    .selectFrom('certificates')
    .select(ENTRY)
    .where('office_id', '=', officeId)
    .where('not_after', '>=', behind?.at ?? from)
    .where('not_after', '<=', until)
  if (behind) query = query.where(sql<boolean>`(not_after, id) > (${behind.at}, ${behind.id})`)
  const rows = await query.orderBy('not_after').orderBy('id').limit(limit).execute()
  return rows.map(toEntry)
}

/** Users of one statement: SQLite joins no more than 500 parts. */
const USERS_AT_ONCE = 100

/** The certificates of each of these users that end last, no more than `limit` for each. */
export async function listLastCertificatesOf(
  db: Reader,
  userIds: readonly UserId[],
  limit: number,
): Promise<CertificateEntry[]> {
  const found: CertificateEntry[] = []
  for (let start = 0; start < userIds.length; start += USERS_AT_ONCE) {
    const parts = userIds.slice(start, start + USERS_AT_ONCE).map((userId) => {
      const last = db
        .selectFrom('certificates')
        .select(ENTRY)
        .where('user_id', '=', userId)
        .orderBy('not_after', 'desc')
        .limit(limit)
      return db.selectFrom(last.as('last')).selectAll()
    })
    found.push(...(await unionOf(parts).execute()).map(toEntry))
  }
  return found
}

/** Adds the certificate unless the office has it; returns the id of the stored one. */
export async function insertCertificate(
  trx: Transaction,
  certificate: HeldCertificate,
): Promise<{ id: CertificateId; isNew: boolean }> {
  // Most signatures are of a certificate that has signed before.
  const known = await findCertificateBySha256(trx, certificate.officeId, certificate.sha256)
  if (known) return { id: known.id, isNew: false }
  const inserted = await trx
    .insertInto('certificates')
    .values(toRow(certificate))
    .onConflict((conflict) => conflict.columns(['office_id', 'sha256']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return { id: certificate.id, isNew: true }
  const held = await findCertificateBySha256(trx, certificate.officeId, certificate.sha256)
  if (!held) throw new Error(`certificate ${certificate.sha256} is neither new nor there`)
  return { id: held.id, isNew: false }
}

/** When the issuer of each of these certificates was last asked about its revocation; without those never asked about. */
export async function findAskedTimes(
  db: Reader,
  ids: readonly CertificateId[],
): Promise<ReadonlyMap<CertificateId, Instant>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('certificates')
      .select(['id', 'revocation_asked_at'])
      .where('id', 'in', chunk)
      .where('revocation_asked_at', 'is not', null)
      .execute(),
  )
  return new Map(
    rows.flatMap(({ id, revocation_asked_at: at }) =>
      at === null ? [] : [[id as CertificateId, at]],
    ),
  )
}

export async function noteAsked(trx: Transaction, id: CertificateId, at: Instant): Promise<void> {
  await trx
    .updateTable('certificates')
    .set({ revocation_asked_at: at })
    .where('id', '=', id)
    .execute()
}

/** Gives a certificate without a user to this one; false if it has one already. */
export async function claimCertificate(
  trx: Transaction,
  id: CertificateId,
  userId: UserId,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ user_id: userId })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toCertificate(row: CertificateRow): HeldCertificate {
  return HeldCertificate.parse({
    ...row,
    officeId: row.office_id,
    notBefore: row.not_before,
    notAfter: row.not_after,
    userId: row.user_id,
    firstSeenAt: row.first_seen_at,
  })
}

const toEntry = (row: Pick<CertificateRow, (typeof ENTRY)[number]>): CertificateEntry =>
  CertificateEntry.parse({
    ...row,
    notBefore: row.not_before,
    notAfter: row.not_after,
    userId: row.user_id,
  })

function toRow(certificate: HeldCertificate): CertificateRow {
  return {
    id: certificate.id,
    office_id: certificate.officeId,
    der: certificate.der,
    sha256: certificate.sha256,
    kind: certificate.kind,
    rfc: certificate.rfc,
    curp: certificate.curp,
    name: certificate.name,
    number: certificate.number,
    issuer: certificate.issuer,
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    user_id: certificate.userId,
    first_seen_at: certificate.firstSeenAt,
    provenance: certificate.provenance,
    revocation_asked_at: null,
  }
}
