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

/** What an administrator wrote; version 1 is the first that is not the text of the system. */
export type WrittenNotice = {
  version: number
  text: NoticeText
  sha256: Sha256
  at: Instant
  by: UserId
}

/** What external signers of the office are told today: the newest text, or that of the system. */
export async function findPrivacyNotice(db: Reader, office: Office): Promise<PrivacyNotice> {
  const newest = await findNewest(db, office.id)
  return newest ? noticeFromText(newest.text) : privacyNoticeOf(office)
}

/** All that were ever written, the newest first. */
export async function listPrivacyNotices(db: Reader, officeId: OfficeId): Promise<WrittenNotice[]> {
  const rows = await db
    .selectFrom('privacy_notices')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toNotice)
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

/** The next version. Of two who write at once, the later one is the newer one. */
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
