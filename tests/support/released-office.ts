import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { migrationsFor } from '#server/db/migrate.ts'
import { postgresDialect } from '#server/db/postgres-dialect.ts'

/** An office as a release left it. */
export type Release = { version: string; lastMigration: string; folder: string }

const FIRST = { version: '0.1.0', lastMigration: '0022-parties' }

export const RELEASES: readonly Release[] = [{ ...FIRST, folder: '0.1.0' }]

/** Offices with an evidence package that the release made there. */
export const WITH_EVIDENCE: readonly Release[] = [{ ...FIRST, folder: '0.1.0-evidence' }]

const fileOf = (release: Release, name: string) =>
  join(import.meta.dirname, '../fixtures/releases', release.folder, name)

/** The evidence package of an office of `WITH_EVIDENCE`. */
export const evidenceOf = (release: Release): Uint8Array =>
  readFileSync(fileOf(release, 'evidence.zip'))

/** The keys that the offices were made with: 32 times one byte. */
const KEYS = { 'log.key': 1, 'master.key': 2, 'sealing-1.key': 3 }

/** Puts the office's database, keys and checkpoints into an empty data folder, as `DATA_DIR` of that release. */
export function restoreRelease(release: Release, folder: string): void {
  const from = (name: string) => fileOf(release, name)
  const secrets = join(folder, 'secrets')
  mkdirSync(join(folder, 'audit'))
  mkdirSync(secrets, { mode: 0o700 })
  writeFileSync(join(folder, 'rubrica.sqlite'), gunzipSync(readFileSync(from('rubrica.sqlite.gz'))))
  copyFileSync(from('checkpoints.jsonl'), join(folder, 'audit/checkpoints.jsonl'))
  for (const [name, byte] of Object.entries(KEYS))
    writeFileSync(join(secrets, name), new Uint8Array(32).fill(byte), { mode: 0o600 })
}

/** Makes an empty PostgreSQL database what the release would have had there: its tables, with the same rows. */
export async function copyToPostgres(
  { lastMigration }: Release,
  sqliteFile: string,
  url: string,
): Promise<void> {
  const target = new Kysely<unknown>({ dialect: postgresDialect(url) })
  const provider = { getMigrations: async () => migrationsFor('postgres') }
  const { error } = await new Migrator({ db: target, provider }).migrateTo(lastMigration)
  if (error) throw error
  await target.destroy()
  const source = new Sqlite(sqliteFile, { readonly: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Without checks of foreign keys: later migrations made older tables refer to newer ones.
    await client.query('set session_replication_role = replica')
    for (const table of tablesOf(source)) await copyRows(source, client, table)
  } finally {
    await client.end()
    source.close()
  }
}

function tablesOf(source: Sqlite.Database): string[] {
  const rows = source
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely_%'")
    .all() as { name: string }[]
  return rows.map(({ name }) => name)
}

async function copyRows(source: Sqlite.Database, client: pg.Client, table: string): Promise<void> {
  const rows = source.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
  for (const row of rows) {
    const names = Object.keys(row)
    const marks = names.map((_, index) => `$${index + 1}`)
    const statement = `insert into ${table} (${names.join(', ')}) values (${marks.join(', ')})`
    await client.query(statement, Object.values(row))
  }
}
