import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { isAlertNeeded } from '#server/db/obligations/deadlines.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import type { Instant } from '#server/domain/time.ts'

/** Resolves the alert that a deadline had, unless another open one shares it. @param seen `by`: null for a job */
export async function resolveUnneeded(
  trx: Transaction,
  { officeId, alert }: Pick<Deadline, 'officeId' | 'alert'>,
  seen: { at: Instant; by: UserId | null },
): Promise<void> {
  if (alert === null || (await isAlertNeeded(trx, officeId, alert))) return
  await resolveAlertsAbout(trx, alert, seen)
}
