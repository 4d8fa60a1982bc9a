import { randomUUID } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit-events.ts'
import {
  insertServiceProvider,
  listServiceProviders,
  replaceServiceProvider,
} from '#server/db/service-providers.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

const NAME = 'Autoridad de sellos de la demostración'

/**
 * The demo office asks the authority of the demo for timestamps. It answers on the origin of the demo, which another
 * start may have elsewhere.
 *
 * @param url where it answers
 */
export async function seedTimestampProvider(
  { db, clock }: System,
  office: Office,
  url: string,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (trx) => {
    const asked = await listServiceProviders(trx, office.id, 'timestamp')
    const own = asked.find(({ name }) => name === NAME)
    if (own) {
      await replaceServiceProvider(trx, { ...own, url })
      return
    }
    const id = ServiceProviderId.parse(randomUUID())
    await insertServiceProvider(trx, {
      id,
      officeId: office.id,
      kind: 'timestamp',
      name: NAME,
      url,
      username: null,
      sealed: null,
      policy: null,
      position: 1,
      state: 'active',
      stateSince: at,
      stateBy: null,
    })
    await appendSystemEvent(trx, {
      by: 'demostración',
      at,
      officeId: office.id,
      action: 'provider.added',
      subject: { kind: 'provider', id },
      result: 'success',
      details: { kind: 'timestamp', name: NAME, url, position: 1 },
    })
  })
}
