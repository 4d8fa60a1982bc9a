import { randomUUID } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import {
  insertServiceProvider,
  listServiceProviders,
  replaceServiceProvider,
} from '#server/db/trust/service-providers.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import type { ProviderKind } from '#server/domain/timestamp/service-provider.ts'
import type { System } from '#server/system.ts'

const NAMES: Record<ProviderKind, string> = {
  timestamp: 'Autoridad de sellos de la demostración',
  constancia: 'Prestador de constancias de la demostración',
}

/** In centavos: the demo shows what a report of costs looks like. */
const DEMO_COST = 950

/**
 * The demo office asks the services of the demo for timestamps and constancias. They answer on the origin of the
 * demo, which another start may have elsewhere.
 *
 * @param url where it answers
 */
export async function seedProvider(
  { db, clock }: System,
  office: Office,
  kind: ProviderKind,
  url: string,
): Promise<void> {
  const at = clock.now()
  const name = NAMES[kind]
  await db.transaction(async (trx) => {
    const asked = await listServiceProviders(trx, office.id, kind)
    const own = asked.find((one) => one.name === name)
    if (own) {
      await replaceServiceProvider(trx, { ...own, url })
      return
    }
    const id = ServiceProviderId.parse(randomUUID())
    await insertServiceProvider(trx, {
      id,
      officeId: office.id,
      kind,
      name,
      url,
      username: null,
      sealed: null,
      policy: null,
      position: 1,
      state: 'active',
      stateSince: at,
      stateBy: null,
      cost: kind === 'constancia' ? DEMO_COST : null,
    })
    await appendSystemEvent(trx, {
      by: 'demostración',
      at,
      officeId: office.id,
      action: 'provider.added',
      subject: { kind: 'provider', id },
      result: 'success',
      details: { kind, name, url, position: 1 },
    })
  })
}
