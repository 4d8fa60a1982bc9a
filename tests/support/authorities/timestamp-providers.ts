import { randomUUID } from 'node:crypto'
import { createTimestampAuthorities } from '#server/adapters/timestamp-authorities.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Office, TimestampPolicy } from '#server/domain/identity/office.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import type { Duration } from '#server/domain/time.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** The same system, which asks for timestamps over HTTP; each authority has half a second. */
export const withTimestamps = (system: TestSystem): TestSystem => ({
  ...system,
  timestamps: createTimestampAuthorities({
    networks: outgoingNetworks([]),
    clock: system.clock,
    patience: 500 as Duration,
  }),
})

/** The office asks at these addresses, in this order, and does this when none answers. */
export async function askingAt(
  { db, clock }: TestSystem,
  { office }: { office: Office },
  urls: readonly string[],
  timestampPolicy: TimestampPolicy = 'later',
): Promise<void> {
  await db.transaction(async (trx) => {
    for (const [index, url] of urls.entries())
      await insertServiceProvider(trx, {
        id: ServiceProviderId.parse(randomUUID()),
        officeId: office.id,
        kind: 'timestamp',
        name: `Sellos en ${new URL(url).port}`,
        url,
        username: null,
        sealed: null,
        policy: null,
        position: index + 1,
        state: 'active',
        stateSince: clock.now(),
        stateBy: null,
        cost: null,
      })
    await replaceOffice(trx, { ...office, timestampPolicy })
  })
}
