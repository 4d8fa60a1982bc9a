import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { replaceOfficeState } from '#server/db/people/office-states.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { OfficeState } from '#server/domain/offices/office-state.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { System } from '#server/system.ts'

export type ChangeOfficeState = {
  /** Of the office; undefined if there is only one. */
  number: number | undefined
  /** Needed if offices of several states of the federation have the number. */
  entity: string | undefined
  state: OfficeState
  reason: Reason
}

const ACTIONS = {
  suspended: { action: 'office.suspended', by: 'rubrica office suspend' },
  active: { action: 'office.resumed', by: 'rubrica office resume' },
} as const

/**
 * Suspends an office or lets it work again; for the operator, on the command line. Nothing of it is changed or deleted.
 *
 * @returns the office, and whether its state changed
 * @throws {Problem} `not-found` if no office, or more than one, is meant
 */
export async function changeOfficeState(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { number, entity, state, reason }: ChangeOfficeState,
): Promise<{ office: Office; isChanged: boolean }> {
  const at = clock.now()
  return await db.transaction(async (trx) => {
    const meant = (await listOffices(trx)).filter(
      (office) =>
        (number === undefined || office.number === number) &&
        (entity === undefined || office.entity === entity),
    )
    const [office] = meant
    if (!office || meant.length > 1) throw new Problem('not-found', `${meant.length} are meant`)
    const isChanged = await replaceOfficeState(trx, office.id, state, { at, reason })
    if (isChanged)
      await appendSystemEvent(trx, {
        ...ACTIONS[state],
        at,
        officeId: office.id,
        subject: { kind: 'office', id: office.id },
        result: 'success',
        details: { reason },
      })
    return { office, isChanged }
  })
}
