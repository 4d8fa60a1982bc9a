import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { listServiceProviders, replaceServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ServiceProviderId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findOwnProvider } from './find-own-provider.ts'

export type MoveProvider = {
  providerId: ServiceProviderId
  /** `earlier` swaps it with the provider before it. */
  direction: 'earlier' | 'later'
}

/**
 * Changes the order in which providers are asked. Does nothing at either end.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`
 */
export async function moveProvider(
  system: System,
  actor: Actor,
  { providerId, direction }: MoveProvider,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const subject = { kind: 'provider', id: providerId } as const
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at, subject)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const moved = await findOwnProvider(trx, person, providerId)
    const all = await listServiceProviders(trx, person.officeId, moved.kind)
    const other = neighbourOf(all, providerId, direction)
    if (!other) return
    await replaceServiceProvider(trx, { ...moved, position: other.position })
    await replaceServiceProvider(trx, { ...other, position: moved.position })
    await appendEvent(trx, {
      actor,
      at,
      action: 'provider.moved',
      subject,
      details: { name: moved.name, from: moved.position, to: other.position },
    })
  })
}

function neighbourOf<P extends { id: ServiceProviderId }>(
  all: readonly P[],
  id: ServiceProviderId,
  direction: MoveProvider['direction'],
): P | undefined {
  const place = all.findIndex((one) => one.id === id)
  return direction === 'earlier' ? (place > 0 ? all[place - 1] : undefined) : all[place + 1]
}
