import { isAfterCursor } from '#server/db/after-cursor.ts'
import type { ConsentRecordRow } from '#server/db/tables/care.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { type ConsentKind, ConsentRecord } from '#server/domain/care/consent.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import type { ConsentId, OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { Instant } from '#server/domain/time.ts'

/** Records a consent. @throws if the id is known */
export async function insertConsentRecord(trx: Transaction, record: ConsentRecord): Promise<void> {
  await trx.insertInto('consent_records').values(toRow(record)).execute()
}

export type ConsentFilter = {
  officeId: OfficeId
  kind?: ConsentKind | undefined
  notice?: Sha256 | undefined
  rfc?: Rfc | undefined
  /** From this instant. */
  from?: Instant | undefined
  /** Up to and including this instant. */
  to?: Instant | undefined
}

/** The records behind a cursor, newest first. */
export async function listConsentRecords(
  db: Reader,
  filter: ConsentFilter & { behind?: PageCursor<ConsentId> | undefined; limit: number },
): Promise<ConsentRecord[]> {
  const { officeId, kind, notice, rfc, from, to, behind, limit } = filter
  let query = db.selectFrom('consent_records').selectAll().where('office_id', '=', officeId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (notice !== undefined) query = query.where('notice', '=', notice)
  if (rfc !== undefined) query = query.where('rfc', '=', rfc)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<=', to)
  if (behind) query = query.where(isAfterCursor(behind, 'at'))
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toRecord)
}

/** Any one who accepted this text. */
export async function findConsentTo(
  db: Reader,
  officeId: OfficeId,
  notice: Sha256,
): Promise<ConsentRecord | undefined> {
  const [record] = await listConsentRecords(db, { officeId, notice, limit: 1 })
  return record
}

function toRecord(row: ConsentRecordRow): ConsentRecord {
  return ConsentRecord.parse({
    ...row,
    officeId: row.office_id,
    userId: row.user_id,
    signerId: row.session_signer_id,
    signingSessionId: row.signing_session_id,
    documentId: row.document_id,
  })
}

const toRow = (record: ConsentRecord): ConsentRecordRow => ({
  ...{ id: record.id, office_id: record.officeId, kind: record.kind },
  ...{ name: record.name, rfc: record.rfc, user_id: record.userId },
  ...{ session_signer_id: record.signerId, signing_session_id: record.signingSessionId },
  ...{ document_id: record.documentId, notice: record.notice, at: record.at },
})
