import { findAlertMail } from '#server/db/alerts/alert-preferences.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AlertKind } from '#server/domain/alerts/alert.ts'
import { isMailedAtOnce } from '#server/domain/alerts/alert-mail.ts'
import type { UserId } from '#server/domain/ids.ts'

/**
 * Those of the readers who get a mail about an alert of this kind as soon as it is raised.
 *
 * @param own the one reader of the alert; `each` if each has an alert of their own
 */
export async function mailedAtOnce(
  trx: Transaction,
  { kind, own }: { kind: AlertKind; own: UserId | 'each' | null },
  readers: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const chosen = await findAlertMail(trx, readers)
  const wants = (id: UserId) =>
    isMailedAtOnce(chosen.get(id) ?? 'each', kind, own === 'each' || own === id)
  return new Set(readers.filter(wants))
}
