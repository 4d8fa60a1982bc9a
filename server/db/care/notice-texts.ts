import { sql } from 'kysely'
import type { NoticeTextRow } from '#server/db/tables/care.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { NoticeText } from '#server/domain/identity/privacy-notice.ts'
import { type OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A text of the aviso that was published or accepted. */
export type KeptNotice = {
  sha256: Sha256
  text: NoticeText
  /** When it was first published or accepted. */
  at: Instant
}

/** Keeps the text, so that it can be read for ever. Does nothing if it is there. */
export async function keepNoticeText(
  trx: Transaction,
  officeId: OfficeId,
  { sha256, text, at }: KeptNotice,
): Promise<void> {
  await trx
    .insertInto('notice_texts')
    .values({ office_id: officeId, sha256, short: text.short, full: text.full, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findNoticeText(
  db: Reader,
  officeId: OfficeId,
  sha256: Sha256,
): Promise<KeptNotice | undefined> {
  const row = await db
    .selectFrom('notice_texts')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && toKept(row)
}

/** Counts one more signer who accepted the text. */
export async function countAcceptance(
  trx: Transaction,
  officeId: OfficeId,
  sha256: Sha256,
): Promise<void> {
  await trx
    .insertInto('notice_counts')
    .values({ office_id: officeId, sha256, accepted: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['office_id', 'sha256'])
        .doUpdateSet({ accepted: sql`notice_counts.accepted + 1` }),
    )
    .execute()
}

/** How many signers accepted each text; texts that none accepted are absent. */
export async function countAcceptances(
  db: Reader,
  officeId: OfficeId,
): Promise<Map<Sha256, number>> {
  const rows = await db
    .selectFrom('notice_counts')
    .select(['sha256', 'accepted'])
    .where('office_id', '=', officeId)
    .orderBy('sha256')
    .execute()
  return new Map(rows.map(({ sha256, accepted }) => [Sha256.parse(sha256), Number(accepted)]))
}

const toKept = (row: NoticeTextRow): KeptNotice => ({
  sha256: Sha256.parse(row.sha256),
  text: NoticeText.parse(row),
  at: row.at,
})
