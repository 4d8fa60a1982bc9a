import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { compose } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import { LATEST_STEP, NewerDatabaseError } from '#server/db/migrate.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { emptyDatabase, onEachDatabase } from '#tests/support/database.ts'

const PASSWORD = 'caballo correcto batería'
const LATER = '9999-a-later-release'

/**
 * What a later release does at its start: adds a column and a table, and says which releases may run beside it.
 *
 * @param oldest the last step of the oldest one
 */
async function laterRelease(trx: Transaction, oldest: string): Promise<void> {
  const later = trx as unknown as Kysely<Tables>
  await later.schema.alterTable('users').addColumn('nickname', 'text').execute()
  await later.schema.createTable('nicknames').addColumn('user_id', 'text').execute()
  await sql`insert into kysely_migration (name, timestamp) values (${LATER}, '2027-01-01T00:00:00.000Z')`.execute(
    later,
  )
  await later.updateTable('schema_range').set({ oldest_step: oldest }).execute()
}

onEachDatabase('a database that a later release has migrated', (current) => {
  test('this release goes on beside it, and also starts', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    await db.transaction((trx) => laterRelease(trx, LATEST_STEP))
    const running = await storedUser(db, office, ['NOTARY'], { email: 'ana@notaria.example' })
    const started = again()
    await started.migrate()
    const found = await started.selectFrom('users').select('id').execute()
    expect(found).toEqual([{ id: running.id }])
    await started.close()
  })

  test('this release does not start if the later one no longer supports it', async () => {
    const { db, again } = current()
    await db.transaction((trx) => laterRelease(trx, '9998-its-predecessor'))
    const started = again()
    await expect(started.migrate()).rejects.toThrow(NewerDatabaseError)
    await started.close()
  })

  test('this release does not start on a database with a step of another branch', async () => {
    const { db, again } = current()
    await db.transaction(async (trx) => {
      await sql`insert into kysely_migration (name, timestamp) values ('0022-of-another-branch', '2026-01-01T00:00:00.000Z')`.execute(
        trx,
      )
    })
    const started = again()
    await expect(started.migrate()).rejects.toThrow(NewerDatabaseError)
    await started.close()
  })

  test('an older release that starts does not lower what the later one supports', async () => {
    const { db, again } = current()
    await db.transaction((trx) => laterRelease(trx, LATEST_STEP))
    const oldest = () => db.selectFrom('schema_range').select('oldest_step').execute()
    const before = await oldest()
    const started = again()
    await started.migrate()
    await started.close()
    expect(await oldest()).toEqual(before)
  })
})

test.each(['sqlite', 'postgres'] as const)(
  'the whole system of this release starts and works beside a later one (%s)',
  async (dialect) => {
    const folder = mkdtempSync(join(tmpdir(), 'rubrica-beside-'))
    const database = dialect === 'postgres' ? await emptyDatabase('postgres', 'none') : undefined
    const config = readConfig('start', {
      DATA_DIR: folder,
      ...(database && { DATABASE_URL: database.url }),
    })
    try {
      const first = await compose(config)
      const hash = await first.system.passwords.hash(PASSWORD)
      const office = await storedOffice(first.system.db)
      const { email } = await storedUser(first.system.db, office, ['NOTARY'], {}, hash)
      await first.system.db.transaction((trx) => laterRelease(trx, LATEST_STEP))
      const second = await compose(config)
      for (const { system } of [first, second]) {
        const outcome = await signIn(
          system,
          stranger(),
          SignIn.parse({ email, password: PASSWORD }),
        )
        expect(outcome.kind).toBe('signed-in')
      }
      await first.system.db.transaction((trx) =>
        trx.updateTable('schema_range').set({ oldest_step: LATER }).execute(),
      )
      await second.close()
      await expect(compose(config)).rejects.toThrow(ConfigurationError)
      await first.close()
    } finally {
      await database?.end()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
