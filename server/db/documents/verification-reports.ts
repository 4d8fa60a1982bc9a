import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'

/** The report on these bytes under these trusted authorities, not older than `since`. */
export async function findReport(
  db: Reader,
  sha256: Sha256,
  trustFingerprint: string,
  since: Instant,
): Promise<{ report: VerificationReport; at: Instant } | undefined> {
  const row = await db
    .selectFrom('verification_reports')
    .select(['report', 'at'])
    .where('sha256', '=', sha256)
    .where('trust_fingerprint', '=', trustFingerprint)
    .where('at', '>=', since)
    .executeTakeFirst()
  return row && { report: JSON.parse(row.report), at: row.at }
}

/** Stores the newest report on these bytes under these trusted authorities. */
export async function replaceReport(
  trx: Transaction,
  sha256: Sha256,
  trustFingerprint: string,
  report: VerificationReport,
  at: Instant,
): Promise<void> {
  const values = { report: JSON.stringify(report), at }
  await trx
    .insertInto('verification_reports')
    .values({ sha256, trust_fingerprint: trustFingerprint, ...values })
    .onConflict((conflict) => conflict.columns(['sha256', 'trust_fingerprint']).doUpdateSet(values))
    .execute()
}
