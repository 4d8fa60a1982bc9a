import { z } from 'zod'
import { beginAdministration } from '#server/db/administrators.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { findOffice, replaceOffice } from '#server/db/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { PresencePolicy } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

export const ChangePresencePolicy = z.strictObject({ presence: PresencePolicy })
export type ChangePresencePolicy = z.infer<typeof ChangePresencePolicy>

/**
 * Decides whether whoever signs must show right before that they are there.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changePresencePolicy(
  system: System,
  actor: Actor,
  { presence }: ChangePresencePolicy,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    if (office.presence === presence) return
    await replaceOffice(trx, { ...office, presence })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { presence, from: office.presence },
    })
  })
}
