import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, inject } from 'vitest'
import { type Database, type DialectName, openDatabase } from '#server/db/database.ts'

export type TestDatabase = {
  db: Database
  /** As in `DATABASE_URL`. */
  url: string
  /** Opens the same database once more, as another process would. */
  again(): Database
  end(): Promise<void>
}

/**
 * The same tests on SQLite and on PostgreSQL, each test on an empty database of its own.
 *
 * @param tests gets a function that gives the database of the running test
 */
export function onEachDatabase(
  name: string,
  tests: (current: () => TestDatabase, dialect: DialectName) => void,
): void {
  describe.each<DialectName>(['sqlite', 'postgres'])(`${name} (%s)`, (dialect) => {
    let current: TestDatabase | undefined
    beforeEach(async () => {
      current = await emptyDatabase(dialect)
    })
    afterEach(async () => {
      await current?.end()
      current = undefined
    })
    tests(() => {
      if (!current) throw new Error('there is a database only while a test runs')
      return current
    }, dialect)
  })
}

/** @param tables `none` for a database that was never migrated */
export async function emptyDatabase(
  dialect: DialectName,
  tables: 'all' | 'none' = 'all',
): Promise<TestDatabase> {
  return dialect === 'sqlite' ? await emptySqlite(tables) : await emptyPostgres(tables)
}

async function emptySqlite(tables: 'all' | 'none'): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-sqlite-'))
  const file = join(folder, 'rubrica.db')
  if (tables === 'all') copyFileSync(await migratedFile(), file)
  return opening(file, async () => {
    rmSync(folder, { recursive: true, force: true })
  })
}

let migrated: Promise<string> | undefined

/** Migrated once in this process; every test gets a copy. */
function migratedFile(): Promise<string> {
  migrated ??= migrateFile()
  return migrated
}

async function migrateFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-sqlite-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'rubrica.db')
  const db = openDatabase(file)
  await db.migrate()
  // The last connection writes its log into the file.
  await db.close()
  return file
}

async function emptyPostgres(tables: 'all' | 'none'): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const template = tables === 'all' ? 'template_rubrica' : 'template0'
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask('create', server, `create database ${name} template ${template} strategy file_copy`)
  return opening(`${server}${name}`, async () => dropMeanwhile(server, name))
}

/**
 * PostgreSQL looks only every 100 ms whether the last connection is gone, and no test waits for that. The server removes
 * at its end what is left.
 */
function dropMeanwhile(server: string, name: string): void {
  ask('drop', server, `drop database ${name} with (force)`).catch(() => {})
}

function opening(url: string, takeAway: () => Promise<void>): TestDatabase {
  const db = openDatabase(url)
  const opened = [db]
  return {
    db,
    url,
    again() {
      const another = openDatabase(url)
      opened.push(another)
      return another
    },
    async end() {
      for (const each of opened) await each.close()
      await takeAway()
    },
  }
}

const connections = new Map<'create' | 'drop', Promise<pg.Client>>()

/** By one connection of this process for each purpose: to open another takes longer than to copy a database. */
async function ask(purpose: 'create' | 'drop', server: string, statement: string): Promise<void> {
  const connection = connections.get(purpose) ?? connect(server)
  connections.set(purpose, connection)
  await (await connection).query(statement)
}

async function connect(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `${server}postgres` })
  // The server ends before the processes of the tests.
  client.on('error', () => {})
  await client.connect()
  return client
}
