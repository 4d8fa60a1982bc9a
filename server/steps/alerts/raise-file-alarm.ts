import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Instant } from '#server/domain/time.ts'
import { occasionOfMatter } from './occasion-of-matter.ts'
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
  return await raiseAlert(trx, {
    officeId,
    userId: null,
    kind: 'file-damaged',
    severity: 'danger',
    subjectKind: 'document',
    subjectId: id,
    facts: { folio, version },
    occasion: await occasionOfMatter(trx, matters.fileDamaged(id, version)),
    at,
  })
}
