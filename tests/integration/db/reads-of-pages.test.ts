import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replaceOffice } from '#server/db/people/offices.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { aFullOffice, type FullOffice } from '#tests/support/office/full-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { type RecordedDatabase, recorded } from '#tests/support/recorded-database.ts'
import { replacedWork } from '#tests/support/replaced-work.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'
import { addressOf, VISITS } from '#tests/support/visits.ts'

/*
 * What a page lists is read in sets: it takes as many statements for sixteen rows of everything as for four.
 */

const [FEW, MANY] = [4, 16]

type Seen = {
  folder: string
  database: TestDatabase
  recording: RecordedDatabase
  system: TestSystem
  office: FullOffice
}

let pages: Pages
const offices: Seen[] = []

beforeAll(async () => {
  pages = await readPages()
  for (const rows of [FEW, MANY]) {
    const folder = mkdtempSync(join(tmpdir(), 'rubrica-reads-'))
    const database = await emptyDatabase('sqlite')
    const recording = recorded(database.db)
    const system = await testSystem(recording.db, folder, replacedWork)
    const office = await aFullOffice({ ...system, db: database.db }, rows)
    offices.push({ folder, database, recording, system, office })
  }
}, 240_000)
afterAll(async () => {
  for (const { database, folder } of offices) {
    await database.end()
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each(Object.entries(VISITS))(
  'page: %s takes no more statements for more rows',
  async (_, visit) => {
    const counts: number[] = []
    for (const { database, recording, system, office } of offices) {
      const { as, presence = 'none' } = visit
      await database.db.transaction((trx) => replaceOffice(trx, { ...office.office, presence }))
      // The first visit fills what the process remembers.
      for (let round = 0; round < 2; round += 1) {
        recording.take()
        await pages.load(system, addressOf(visit, office), as && office[as])
      }
      counts.push(recording.take().length)
    }
    const [few = 0, many = 0] = counts
    expect(many, `${few} statements for ${FEW} rows`).toBeLessThanOrEqual(few)
  },
)
