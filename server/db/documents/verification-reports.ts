import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'

/**
 * Grows with every change of what a report consists of, the names of its codes included. Rows of other forms are
 * not found: the file is verified again.
 */
const REPORT_FORM = 4

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
  const kept = row && JSON.parse(row.report)
  return kept?.form === REPORT_FORM ? { report: kept.report, at: row!.at } : undefined
}

/** Stores the newest report on these bytes under these trusted authorities. */
export async function replaceReport(
  trx: Transaction,
  sha256: Sha256,
  trustFingerprint: string,
  report: VerificationReport,
  at: Instant,
): Promise<void> {
  const values = { report: JSON.stringify({ form: REPORT_FORM, report }), at }
  await trx
    .insertInto('verification_reports')
    .values({ sha256, trust_fingerprint: trustFingerprint, ...values })
    .onConflict((conflict) => conflict.columns(['sha256', 'trust_fingerprint']).doUpdateSet(values))
    .execute()
}
