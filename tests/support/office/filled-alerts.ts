import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { AlertState } from '#server/domain/alerts/alert.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { User } from '#server/domain/identity/user.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { after, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

/** The provider of every hundredth alert of `fillAlerts`. */
export const FAILING_PROVIDER = ServiceProviderId.parse('00000000-0000-4000-8000-000000000001')

/** The alerts of a statement. */
const AT_ONCE = 500

/** Raises alerts a second apart: half to the people in turn, half to the administrators; in all states in turn. */
export async function fillAlerts(
  db: Database,
  people: readonly User[],
  count: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    for (let from = 0; from < count; from += AT_ONCE) {
      const length = Math.min(AT_ONCE, count - from)
      const rows = Array.from({ length }, (_, index) => rowAt(from + index, people))
      await trx.insertInto('alerts').values(rows).execute()
    }
  })
}

function rowAt(number: number, people: readonly User[]) {
  const user = people[number % people.length]
  if (!user) throw new Error('alerts of no office')
  const isOfProvider = number % 100 === 0
  const at = after(MORNING, seconds(number))
  const state = AlertState.options[number % AlertState.options.length] ?? 'open'
  return {
    ...{ id: randomUUID(), office_id: user.officeId, user_id: number % 4 < 2 ? user.id : null },
    ...{ kind: isOfProvider ? 'provider-down' : 'new-device', severity: 'warning' },
    ...{ subject_kind: 'nothing', subject_id: null, facts: '{}' },
    occurrences: 1,
    occasion: `${isOfProvider ? matters.providerDown(FAILING_PROVIDER) : 'filled:'}${number}`,
    ...{ at, state, state_since: at, state_by: null },
  }
}
