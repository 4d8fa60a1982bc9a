import { z } from 'zod'
import { beginAdministration } from '#server/db/administrators.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { findOffice, replaceOffice } from '#server/db/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { TimestampPolicy } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

export const ChangeTimestampPolicy = z.strictObject({ timestampPolicy: TimestampPolicy })
export type ChangeTimestampPolicy = z.infer<typeof ChangeTimestampPolicy>

/**
 * Decides what becomes of a signature while no authority gives a timestamp.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changeTimestampPolicy(
  system: System,
  actor: Actor,
  { timestampPolicy }: ChangeTimestampPolicy,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    if (office.timestampPolicy === timestampPolicy) return
    await replaceOffice(trx, { ...office, timestampPolicy })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { timestampPolicy, from: office.timestampPolicy },
    })
  })
}
