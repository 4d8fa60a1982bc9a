import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect } from 'vitest'
import type { DialectName } from '#server/db/database.ts'

/** The locations of rows and files. */
export type Place = {
  /** An SQLite file or `postgres://…`. */
  database: string
  /** A folder. */
  blobs: string
}

export type Rows = Record<string, Record<string, unknown>[]>

/** Copyable locations of rows and files; no process has them open. */
export type Places = {
  empty(): Promise<Place>
  copy(of: Place): Promise<Place>
  /** All rows of all tables, once the database itself has found them whole. */
  rows(of: Place): Promise<Rows>
  remove(place: Place): Promise<void>
}

/**
 * @param folder for the files
 * @param server of PostgreSQL: its address, ending in a slash
 */
export function placesOf(dialect: DialectName, folder: string, server: string): Places {
  return dialect === 'sqlite' ? sqlitePlaces(folder) : postgresPlaces(folder, server)
}

function sqlitePlaces(folder: string): Places {
  const newPlace = () => {
    const home = mkdtempSync(path.join(folder, 'sqlite-'))
    return { database: path.join(home, 'rubrica.sqlite'), blobs: path.join(home, 'blobs') }
  }
  const homeOf = ({ database }: Place) => path.dirname(database)
  return {
    empty: async () => newPlace(),
    async copy(of) {
      const place = newPlace()
      cpSync(homeOf(of), homeOf(place), { recursive: true })
      return place
    },
    rows: async ({ database }) => rowsOfSqlite(database),
    remove: async (place) => rmSync(homeOf(place), { recursive: true }),
  }
}

function rowsOfSqlite(file: string): Rows {
  const db = new Sqlite(file)
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    const names = db.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    return Object.fromEntries(
      names.map((name) => [
        name,
        db.prepare(`select * from "${name}"`).all() as Record<string, unknown>[],
      ]),
    )
  } finally {
    db.close()
  }
}

function postgresPlaces(folder: string, server: string): Places {
  const newPlace = async (template: string) => {
    const name = `place_${randomUUID().replaceAll('-', '')}`
    await asking(`${server}postgres`, (ask) => ask(`create database ${name} template ${template}`))
    return { database: `${server}${name}`, blobs: mkdtempSync(path.join(folder, 'postgres-')) }
  }
  const nameOf = ({ database }: Place) => database.slice(server.length)
  return {
    empty: () => newPlace('template0'),
    async copy(of) {
      const place = await newPlace(nameOf(of))
      mkdirSync(of.blobs, { recursive: true })
      cpSync(of.blobs, place.blobs, { recursive: true })
      return place
    },
    rows: ({ database }) => asking(database, rowsOfPostgres),
    async remove(place) {
      const drop = `drop database ${nameOf(place)} with (force)`
      await asking(`${server}postgres`, (ask) => ask(drop))
      rmSync(place.blobs, { recursive: true })
    },
  }
}

type Ask = (statement: string) => Promise<Record<string, unknown>[]>

async function asking<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(async (statement) => (await client.query(statement)).rows)
  } finally {
    await client.end()
  }
}

/** Sorted: PostgreSQL returns rows in storage order. */
async function rowsOfPostgres(ask: Ask): Promise<Rows> {
  const rows: Rows = {}
  const tables = await ask("select tablename as name from pg_tables where schemaname = 'public'")
  for (const { name } of tables) {
    const found = await ask(`select to_jsonb(t) as row from "${name}" t order by to_jsonb(t)::text`)
    rows[String(name)] = found.map(({ row }) => row as Record<string, unknown>)
  }
  return rows
}
