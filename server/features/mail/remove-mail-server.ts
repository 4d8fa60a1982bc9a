import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findMailServer, removeMailServer as remove } from '#server/db/mail/mail-servers.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Removes the mail server of the office, with its password: mail waits in the outbox.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function removeMailServer(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'mail.manage', own, at)
  const { officeId } = person
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const before = await findMailServer(trx, officeId)
    if (!before) return
    await remove(trx, officeId)
    await appendEvent(trx, {
      actor,
      at,
      action: 'mail-server.removed',
      subject: { kind: 'office', id: officeId },
      details: { host: before.host, port: before.port },
    })
  })
}
