import { insertDeadlines } from '#server/db/obligations/deadlines.ts'
import { insertNonWorkingDay } from '#server/db/obligations/non-working-days.ts'
import { upsertObligation } from '#server/db/obligations/obligations.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { aDeadline, anObligation } from '#tests/support/office/deadline-rows.ts'

/** An obligation of the office's own that is on, one that is off, and a deadline of each state that a form can change. */
export async function seedObligations(trx: Transaction, by: User, at: Instant) {
  const obligation = anObligation(by, at, 'Aviso de la notaría')
  const other = anObligation(by, at, 'Otro aviso de la notaría')
  await upsertObligation(trx, obligation)
  await upsertObligation(trx, { ...other, state: 'off' })
  const ofMonth = (period: string) => ({ kind: 'month', period }) as never
  const open = aDeadline(obligation, ofMonth('2026-01'), at)
  const done = aDeadline(obligation, ofMonth('2026-02'), at, { state: 'done', stateBy: by.id })
  await insertDeadlines(trx, [open, done])
  const day = '2026-12-24' as Day
  await insertNonWorkingDay(trx, {
    ...{ day, name: 'Vacaciones', source: null, officeId: by.officeId, at, by: by.id },
  })
  return {
    ...{ obligation: obligation.id as string, offObligation: other.id as string },
    ...{ obligationSeenAt: at as number, nonWorkingDay: day as string },
    ...{ deadline: open.id as string, doneDeadline: done.id as string },
  }
}
