import type { AlertRow } from '#server/db/tables/log.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** Every alert of all offices, in the order in which they were raised. */
export async function listAlertRows({ db }: Pick<TestSystem, 'db'>): Promise<AlertRow[]> {
  return await db.selectFrom('alerts').selectAll().orderBy('at').orderBy('occasion').execute()
}
