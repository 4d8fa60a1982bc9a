import { resolveAlertsAbout, restateAlert } from '#server/db/alerts/alerts.ts'
import { findOverdueProofs, type OverdueProofs } from '#server/db/documents/archives.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { formatDay, type Instant } from '#server/domain/time.ts'
import { occasionOfCondition } from '#server/steps/alerts/occasion-of-matter.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

/**
 * Alerts the administrators of each office once when long-term proofs end soon because they could not be renewed. The alert
 * has the number of today, and is resolved when none is overdue, or when the office decides to use no timestamps.
 */
export async function watchProofs({ db, clock }: Pick<System, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  for (const office of await listOffices(db)) {
    const isStamping = office.timestampPolicy !== 'none'
    const overdue = isStamping ? await findOverdueProofs(db, office.id, at) : undefined
    await db.transaction(async (trx) => {
      if (overdue) await alert(trx, office, overdue, at)
      else await resolveAlertsAbout(trx, matters.proofsOverdue(office.id), { at, by: null })
    })
  }
}

async function alert(
  trx: Transaction,
  { id: officeId, timeZone }: Office,
  { count, first }: OverdueProofs,
  at: Instant,
): Promise<void> {
  const facts = { count, on: formatDay(first, timeZone) }
  const occasion = await occasionOfCondition(trx, matters.proofsOverdue(officeId), at)
  const isNew = await raiseAlert(trx, {
    ...{ officeId, userId: null, kind: 'proofs-overdue', severity: 'danger' },
    ...{ facts, occasion, at },
  })
  if (!isNew) await restateAlert(trx, { occasion, facts })
}
