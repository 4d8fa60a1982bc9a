import { z } from 'zod'
import { beginAdministration } from '#server/db/administrators.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { findOffice, replaceOffice } from '#server/db/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ConstanciaPolicy } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

export const ChangeConstanciaPolicy = z.strictObject({ constanciaPolicy: ConstanciaPolicy })
export type ChangeConstanciaPolicy = z.infer<typeof ChangeConstanciaPolicy>

/**
 * Decides whether a constancia is asked for whenever a document is complete. Those that wait go on waiting.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changeConstanciaPolicy(
  system: System,
  actor: Actor,
  { constanciaPolicy }: ChangeConstanciaPolicy,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    if (office.constanciaPolicy === constanciaPolicy) return
    await replaceOffice(trx, { ...office, constanciaPolicy })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { constanciaPolicy, from: office.constanciaPolicy },
    })
  })
}
