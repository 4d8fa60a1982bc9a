import { beforeAll, expect, test } from 'vitest'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { MORNING } from '#tests/support/builders.ts'
import { aFullOffice } from '#tests/support/office/full-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { recorded } from '#tests/support/recorded-database.ts'
import { replacedWork } from '#tests/support/replaced-work.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'
import { addressOf, VISITS, WITHOUT_ROWS } from '#tests/support/visits.ts'

let pages: Pages
beforeAll(async () => {
  pages = await readPages()
}, 240_000)

test('the table of visits names every page of the site map and no other', () => {
  expect([...Object.keys(VISITS), ...WITHOUT_ROWS].toSorted()).toEqual(pages.ids.toSorted())
})

onEachSystem(
  'queries of pages',
  (system) => {
    test('every page asks as many queries at 200 rows as at 10', { timeout: 240_000 }, async () => {
      await aLongLog(system())
      // The few first: authorities belong to no office.
      const few = await queriesAt(system(), 10)
      const many = await queriesAt(system(), 200)
      expect(many).toEqual(few)
    })
  },
  replacedWork,
)

/**
 * Events before those of the offices, so that both use subtree roots in their proofs: a short log has none and
 * reads none.
 */
async function aLongLog({ db }: TestSystem): Promise<void> {
  await db.transaction(async (trx) => {
    for (let count = 0; count < 512; count += 1)
      await appendSystemEvent(trx, {
        by: 'test',
        at: MORNING,
        officeId: null,
        action: 'audit.exported',
        subject: { kind: 'nothing' },
        result: 'success',
        details: {},
      })
  })
}

/** How many queries each page asks in an office with so many rows of everything, by the id of its route. */
async function queriesAt(system: TestSystem, rows: number): Promise<Record<string, number>> {
  const office = await aFullOffice(system, rows)
  const { db, take } = recorded(system.db)
  const counts: Record<string, number> = {}
  for (const [id, visit] of Object.entries(VISITS)) {
    const { as, presence = 'none' } = visit
    await system.db.transaction((trx) => replaceOffice(trx, { ...office.office, presence }))
    const address = addressOf(visit, office)
    take()
    const shown = await pages.load({ ...system, db }, address, as && office[as])
    counts[id] = take().length
    expect(shown, address).toBe(id)
  }
  return counts
}
