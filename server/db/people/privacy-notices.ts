import { lockUntilCommit } from '#server/db/lock.ts'
import type { PrivacyNoticeRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import {
  NoticeText,
  noticeFromText,
  type PrivacyNotice,
  privacyNoticeOf,
} from '#server/domain/identity/privacy-notice.ts'
import { type OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A notice written by an administrator; versions count from 1. The default text has no version. */
export type WrittenNotice = {
  version: number
  text: NoticeText
  sha256: Sha256
  at: Instant
  by: UserId
}

/** The office's current notice: its newest text, or the default. */
export async function findPrivacyNotice(db: Reader, office: Office): Promise<PrivacyNotice> {
  const newest = await findNewest(db, office.id)
  return newest ? noticeFromText(newest.text) : privacyNoticeOf(office)
}

/** All texts ever written, newest first. */
export async function listPrivacyNotices(db: Reader, officeId: OfficeId): Promise<WrittenNotice[]> {
  const rows = await db
    .selectFrom('privacy_notices')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toNotice)
}

/** Number, digest and time of each text ever written, newest first. */
export async function listNoticeVersions(
  db: Reader,
  officeId: OfficeId,
): Promise<Pick<WrittenNotice, 'version' | 'sha256' | 'at'>[]> {
  const rows = await db
    .selectFrom('privacy_notices')
    .select(['version', 'sha256', 'at'])
    .where('office_id', '=', officeId)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(({ version, sha256, at }) => ({ version, sha256: Sha256.parse(sha256), at }))
}

async function findNewest(db: Reader, officeId: OfficeId): Promise<WrittenNotice | undefined> {
  const row = await db
    .selectFrom('privacy_notices')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toNotice(row)
}

/** Inserts the next version. Of two concurrent writers, the later one gets the higher version. */
export async function insertPrivacyNotice(
  trx: Transaction,
  officeId: OfficeId,
  written: Omit<WrittenNotice, 'version'>,
): Promise<number> {
  await lockUntilCommit(trx, `privacy-notice:${officeId}`)
  const newest = await findNewest(trx, officeId)
  const version = (newest?.version ?? 0) + 1
  const { text, sha256, at, by } = written
  const row = { office_id: officeId, version, ...text, sha256, at, by_user: by }
  await trx.insertInto('privacy_notices').values(row).execute()
  return version
}

const toNotice = (row: PrivacyNoticeRow): WrittenNotice => ({
  version: row.version,
  text: NoticeText.parse(row),
  sha256: Sha256.parse(row.sha256),
  at: row.at,
  by: UserId.parse(row.by_user),
})
