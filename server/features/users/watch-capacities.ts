import { listOffices } from '#server/db/people/offices.ts'
import { listUsers } from '#server/db/people/users.ts'
import { noticeOf } from '#server/domain/alerts/ending.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { formatDay } from '#server/domain/time.ts'
import { warnOfEnding } from '#server/steps/alerts/warn-of-ending.ts'
import type { System } from '#server/system.ts'

type Watching = Pick<System, 'db' | 'clock'>

/** Warns active users whose capacity as a notary ends, on the days of `NOTICES`: without it they cannot sign as notaries. */
export async function watchCapacities(system: Watching): Promise<void> {
  for (const office of await listOffices(system.db))
    for (const user of await listUsers(system.db, office.id)) await watchUser(system, office, user)
}

async function watchUser({ db, clock }: Watching, office: Office, user: User): Promise<void> {
  const { state, capacity, capacityTo } = user
  const at = clock.now()
  const notice = capacityTo === null ? undefined : noticeOf(capacityTo, at)
  if (state !== 'active' || capacity === null || capacityTo === null || !notice) return
  await db.transaction((trx) =>
    warnOfEnding(trx, {
      kind: 'capacity-ending',
      user,
      notice,
      facts: { on: formatDay(capacityTo, office.timeZone) },
      occasionOf: (reader, of) => occasions.capacityEnding(user.id, capacityTo, reader, of),
      at,
    }),
  )
}
