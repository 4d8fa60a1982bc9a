import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/** Logs that a code was rejected, without the code: it may be nearly right. */
export async function refuseLink(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Problem> {
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at: clock.now(),
      officeId: null,
      action: 'activation.refused',
      subject: { kind: 'nothing' },
      result: 'refused',
    }),
  )
  return new Problem('link-spent', 'a code that opens nothing')
}
