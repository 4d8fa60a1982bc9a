import { countResolvedAlerts } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from './raise-alert.ts'

/**
 * Raises the alert that the file of a version is damaged, unless one is pending.
 *
 * @returns false if one is pending
 */
export async function raiseFileAlarm(
  trx: Transaction,
  { id, folio, officeId }: Document,
  { version }: DocumentVersion,
  at: Instant,
): Promise<boolean> {
  const matter = matters.fileDamaged(id, version)
  return await raiseAlert(trx, {
    officeId,
    userId: null,
    kind: 'file-damaged',
    severity: 'danger',
    subjectKind: 'document',
    subjectId: id,
    facts: { folio, version },
    occasion: `${matter}${await countResolvedAlerts(trx, matter)}`,
    at,
  })
}
