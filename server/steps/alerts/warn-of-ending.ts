import { resolveAlertsOf } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import { isUrgent, type Notice, noticesBefore } from '#server/domain/alerts/ending.ts'
import { type AlertReader, readersOfAlertAbout } from '#server/domain/alerts/readers.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from './raise-alert.ts'

type Ending = {
  kind: 'certificate-ending' | 'capacity-ending'
  user: User
  notice: Notice
  facts: Alert['facts']
  occasionOf(reader: AlertReader, notice: Notice): string
  at: Instant
}

/**
 * Warns a user, and the administrators, that something of the user ends: once for each notice. A later notice replaces the earlier
 * ones.
 */
export async function warnOfEnding(trx: Transaction, ending: Ending): Promise<void> {
  const { kind, user, notice, facts, occasionOf, at } = ending
  for (const reader of readersOfAlertAbout(user)) {
    const isNew = await raiseAlert(trx, {
      officeId: user.officeId,
      userId: reader === 'owner' ? user.id : null,
      kind,
      severity: isUrgent(notice) ? 'danger' : 'warning',
      subjectKind: 'user',
      subjectId: user.id,
      facts,
      occasion: occasionOf(reader, notice),
      at,
    })
    if (!isNew) continue
    for (const earlier of noticesBefore(notice))
      await resolveAlertsOf(trx, occasionOf(reader, earlier), { at, by: null })
  }
}
