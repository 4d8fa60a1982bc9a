import type { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findOffice, replaceOffice } from '#server/db/people/offices.ts'
import { rescheduleReminders } from '#server/db/signing-sessions/reminders.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Office } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { remindersOf } from '#server/domain/signing/session/reminders.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The policies of the office; each is changed on its own. */
export const Policies = Office.pick({
  /** Whether signatures require a timestamp, may get it later, or have none. */
  timestampPolicy: true,
  /** Whether a constancia is requested for each completed document. Pending ones stay pending. */
  constanciaPolicy: true,
  /** After how many days waiting signers are reminded; applies to those who wait now, too. */
  reminders: true,
  /** Whether the reports of each month are made by themselves. */
  reportSchedule: true,
  /** Whether signers must prove their presence right before signing. */
  presence: true,
  /** Whether an e.firma may be used in the server's memory, for browsers without scripts. */
  serverSigning: true,
  /** How long after activation users may go without a second factor. */
  secondFactorGrace: true,
  /** Largest document in bytes; existing ones stay. */
  uploadLimit: true,
  /** Idle timeout of sessions; applies to live ones, too. */
  sessionIdle: true,
  /** Maximum lifetime of a session; applies to new ones. */
  sessionAbsolute: true,
})
export type Policies = z.infer<typeof Policies>
export type PolicyName = keyof Policies

/**
 * Changes one policy; the log keeps the old value.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changePolicy<N extends PolicyName>(
  system: System,
  actor: Actor,
  name: N,
  decided: Policies[N],
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    if (office[name] === decided) return
    const next = { ...office, [name]: decided }
    await replaceOffice(trx, next)
    if (next.reminders !== office.reminders)
      await rescheduleReminders(trx, office.id, remindersOf(next.reminders), at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { [name]: decided, from: office[name] },
    })
  })
}
