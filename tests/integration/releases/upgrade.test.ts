import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Composed, compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { countEvents } from '#server/db/audit/logs.ts'
import type { Database, DialectName } from '#server/db/database.ts'
import { listUnarchived } from '#server/db/documents/archives.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { titleKey } from '#server/domain/documents/title-key.ts'
import { Email } from '#server/domain/identity/email.ts'
import { after, hours } from '#server/domain/time.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { stranger } from '#tests/support/builders.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import {
  copyToPostgres,
  RELEASES,
  type Release,
  restoreRelease,
} from '#tests/support/released-office.ts'

const DIALECTS = ['sqlite', 'postgres'] as const
const CASES = RELEASES.flatMap((release) => DIALECTS.map((dialect) => ({ release, dialect })))

test.each(CASES)(
  'an office of release $release.version keeps its rows and continues its log ($dialect)',
  async ({ release, dialect }) => {
    await withOfficeOf(release, dialect, async ({ system }) => {
      expect(await rowsOf(system.db)).toEqual({ documents: 7, signatures: 6, users: 6 })
      expect(await titlesWithoutKey(system.db)).toEqual([])
      expect(await checkLogs(system)).toBeUndefined()
      const later = after(system.clock.now(), hours(1))
      expect(await listUnarchived(system.db, { now: later, limit: 50 })).toHaveLength(2)

      const before = await countEvents(system.db, FIRST_LOG)
      const entered = await signIn(system, stranger(), {
        email: Email.parse('titular@notaria.example'),
        password: 'Notaria-de-prueba-2026',
      })
      expect(entered.kind).not.toBe('refused')
      await checkpointLogs(system)
      expect(await countEvents(system.db, FIRST_LOG)).toBeGreaterThan(before)
      expect(await checkLogs(system)).toBeUndefined()
    })
  },
)

async function withOfficeOf(
  release: Release,
  dialect: DialectName,
  work: (office: Composed) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-release-'))
  const empty = dialect === 'postgres' ? await emptyDatabase('postgres', 'none') : undefined
  try {
    restoreRelease(release, folder)
    if (empty) await copyToPostgres(release, join(folder, 'rubrica.sqlite'), empty.url)
    const office = await compose(
      readConfig('start', { DATA_DIR: folder, ...(empty && { DATABASE_URL: empty.url }) }),
    )
    await work(office).finally(() => office.close())
  } finally {
    await empty?.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Titles that the list would sort elsewhere than if they had been written by this release. */
async function titlesWithoutKey(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('documents').select(['title', 'title_key']).execute()
  return rows.filter((row) => row.title_key !== titleKey(row.title)).map(({ title }) => title)
}

async function rowsOf(db: Database) {
  const count = async (table: 'documents' | 'signatures' | 'users') => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return {
    documents: await count('documents'),
    signatures: await count('signatures'),
    users: await count('users'),
  }
}
